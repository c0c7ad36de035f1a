"""A Redis cache that the product survives without: while Redis is away, each process keeps its own counts."""

import time
from typing import Any

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)
ASK_AGAIN_AFTER = 5.0  # seconds, so that not every request waits for a server that does not answer


class SteadyRedisCache(RedisCache):
    """Falls back to the memory of the process instead of raising. One log line when Redis goes, one when it is back.

    Limits on requests are then counted per process. Limits on sign-in attempts are in the database.
    """

    _away_until = 0.0  # of all threads: Django makes one object for each

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        patience = {"socket_connect_timeout": 1, "socket_timeout": 1}
        super().__init__(server, {**params, "OPTIONS": {**patience, **params.get("OPTIONS", {})}})
        self._own = LocMemCache("while-redis-is-away", {**params, "OPTIONS": {}})

    def _ask(self, name: str, *args: Any, **kwargs: Any) -> Any:
        kind = type(self)
        was_away = kind._away_until > 0
        if time.monotonic() >= kind._away_until:
            try:
                answer = getattr(super(), name)(*args, **kwargs)
            except (RedisError, OSError) as error:  # also one that is full, loading or read-only
                kind._away_until = time.monotonic() + ASK_AGAIN_AFTER
                if not was_away:
                    log.error("cache_away", error=str(error), until="each process counts for itself")
            else:
                if was_away:
                    kind._away_until = 0.0
                    log.warning("cache_back")
                return answer
        return getattr(self._own, name)(*args, **kwargs)


def _steady(name: str) -> Any:
    def ask(self: SteadyRedisCache, *args: Any, **kwargs: Any) -> Any:
        return self._ask(name, *args, **kwargs)

    return ask


for _name in (
    "add", "get", "set", "touch", "delete", "get_many", "has_key", "incr", "set_many", "delete_many", "clear",
):  # fmt: skip
    setattr(SteadyRedisCache, _name, _steady(_name))

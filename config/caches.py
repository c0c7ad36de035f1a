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

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("touch", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("delete", *args, **kwargs)

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("get_many", *args, **kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("has_key", *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("incr", *args, **kwargs)

    def set_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("set_many", *args, **kwargs)

    def delete_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("delete_many", *args, **kwargs)

    def clear(self) -> Any:
        return self._ask("clear")

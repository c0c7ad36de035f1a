"""What can go wrong with a provider, and whether to try again."""

from __future__ import annotations


class ProviderError(Exception):
    """One request failed. `is_retryable`: another try may help. `is_final`: no request of the run can succeed."""

    def __init__(
        self, message: str, *, is_retryable: bool = False, is_final: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.is_retryable = is_retryable
        self.is_final = is_final
        self.retry_after = retry_after


class AddressNotAllowed(ProviderError):
    """The base URL is not on the list of addresses that may be called."""

    def __init__(self, url: str) -> None:
        super().__init__(
            f"'{url}' is not on the list of allowed addresses: ask a maintainer to add it, or name another one",
            is_final=True,
        )

from django.conf.locale.de.formats import (  # type: ignore[import-untyped]  # noqa: F401
    DATE_FORMAT,
    DATETIME_FORMAT,
    DECIMAL_SEPARATOR,
    MONTH_DAY_FORMAT,
    NUMBER_GROUPING,
    SHORT_DATE_FORMAT,
    SHORT_DATETIME_FORMAT,
    THOUSAND_SEPARATOR,
    TIME_FORMAT,
    YEAR_MONTH_FORMAT,
)

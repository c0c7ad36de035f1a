# One image for web, worker and beat.
FROM python:3.11-slim-bookworm AS base
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 TOUCHSTONE_VAR=/var/lib/touchstone
WORKDIR /app
COPY requirements.txt .
RUN pip install --disable-pip-version-check -r requirements.txt
COPY . .
RUN useradd --system --create-home --home-dir /var/lib/touchstone touchstone \
    && TOUCHSTONE_VAR=/app/build python manage.py collectstatic --noinput --verbosity 0 \
    && mv /app/build/static /app/static && rm -rf /app/build
ENV TOUCHSTONE_MODE=production STATIC_ROOT=/app/static
USER touchstone
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz')"]
CMD ["granian", "--interface", "rsgi", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--no-ws", "--respawn-failed-workers", "config.front:application"]

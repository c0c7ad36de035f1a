"""Catalogues of translations: `locale/LANGUAGE/LC_MESSAGES/{django,djangojs}.po`, compiled where they are used."""

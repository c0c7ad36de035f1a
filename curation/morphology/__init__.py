"""Words that inflect: features, the template language, lexicon lookup, orthography and expansion. Knows no database."""

"""Intervals of F1: they count templates and hold with few of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics.tables import table_difference, table_interval
from evaluation.metrics.scores import macro_f1

HITS = 300


def drawn(generator, templates, *, together, recall, specificity, sizes=(7,)):
    """One confusion table per template: a third of the templates is not hateful."""
    cases = generator.choice(sizes, templates)
    is_hateful = np.arange(templates) >= templates // 3
    chance = np.where(is_hateful, recall, specificity)
    strength = (1 - together) / together if together else 1e9
    right = generator.binomial(cases, generator.beta(chance * strength, (1 - chance) * strength))
    tables = np.zeros((templates, 2, 3))
    for place, label in enumerate(np.where(is_hateful, 0, 1)):
        tables[place, label, label] = right[place]
        tables[place, label, 1 - label] = cases[place] - right[place]
    return tables


def true_macro_f1(templates, recall, specificity):
    fine = (templates // 3) / templates
    return float(
        macro_f1(np.array([[(1 - fine) * recall, (1 - fine) * (1 - recall), 0],
                           [fine * (1 - specificity), fine * specificity, 0]]))
    )  # fmt: skip


@pytest.mark.parametrize("templates", [9, 15, 48])
@pytest.mark.parametrize("together", [0.0, 0.3, 0.8])
@pytest.mark.parametrize(("recall", "specificity"), [(0.9, 0.9), (0.9, 0.5), (0.5, 0.5), (0.2, 0.95)])
def test_intervals_of_macro_f1_cover_what_they_promise(templates, together, recall, specificity):
    generator = np.random.default_rng(templates)
    truth, hits = true_macro_f1(templates, recall, specificity), 0
    for _ in range(HITS):
        tables = drawn(generator, templates, together=together, recall=recall, specificity=specificity)
        low, high = table_interval(tables, macro_f1)
        hits += low - 1e-9 <= truth <= high + 1e-9
    assert hits / HITS >= 0.93


def test_equal_models_rarely_differ_in_macro_f1():
    """Two models that are exchanged template by template: neither is better."""
    generator, alarms = np.random.default_rng(4), 0
    first = drawn(generator, 60, together=0.5, recall=0.8, specificity=0.5)
    second = drawn(generator, 60, together=0.5, recall=0.8, specificity=0.5)
    for _ in range(600):
        swap = generator.random(60)[:, None, None] < 0.5
        _, p = table_difference(np.where(swap, second, first), np.where(swap, first, second), macro_f1)
        alarms += p < 0.05
    assert alarms / 600 <= 0.06


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 30), st.integers(0, 10**6))
def test_an_interval_holds_its_estimate_and_lies_between_zero_and_one(templates, seed):
    generator = np.random.default_rng(seed)
    tables = generator.integers(0, 4, size=(templates, 2, 3)).astype(float)
    bounds = table_interval(tables, macro_f1)
    value = float(macro_f1(tables.sum(axis=0)))
    if bounds is not None:
        assert 0 <= bounds[0] <= value + 1e-9
        assert value - 1e-9 <= bounds[1] <= 1


def test_a_label_of_one_template_has_no_interval():
    tables = np.zeros((6, 2, 3))
    tables[:5, 0, 0] = 3
    tables[5, 1, 1] = 3
    assert table_interval(tables, macro_f1) is None
    assert table_interval(tables[:1], macro_f1) is None
    assert table_difference(tables[:5], tables[:5], macro_f1) is None


def test_more_cases_of_the_same_templates_add_little():
    generator = np.random.default_rng(1)
    few = drawn(generator, 30, together=0.8, recall=0.7, specificity=0.6)
    low, high = table_interval(few, macro_f1)
    wide = table_interval(few * 10, macro_f1)
    assert wide[1] - wide[0] > 0.9 * (high - low)

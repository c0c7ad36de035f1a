"""Charts say what their axes count."""

from core.charts import as_svg
from evaluation.results.charts import group_gaps


def test_a_group_of_one_template_has_no_interval_to_draw():
    gaps = {"women": {"difference": -0.2, "ci95": None, "p_holm": None}}
    assert "women" not in as_svg(group_gaps({"gaps": {"target": {"groups": gaps}}}))


def test_gaps_between_groups_are_counted_in_points_and_nothing_is_plain_zero():
    gaps = {"women": {"difference": -0.2, "ci95": [-0.3, -0.1], "p_holm": 0.01}}
    drawn = as_svg(group_gaps({"gaps": {"target": {"groups": gaps}}}))
    assert "Points of accuracy above or below all other groups" in drawn
    assert ">+20<" in drawn
    assert ">0<" in drawn
    assert "%<" not in drawn

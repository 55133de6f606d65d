"""The chart that nearly every test lies on."""

from __future__ import annotations

import pytest
from django.test import TransactionTestCase

from campaign.models import Theatre


@pytest.mark.django_db(transaction=True)
def test_the_chart_is_there_again_after_a_test_that_commits() -> None:
    Theatre.objects.all().delete()
    TransactionTestCase("run")._fixture_teardown()
    assert [theatre.code for theatre in Theatre.objects.all()] == ["narrow_seas_1666"]

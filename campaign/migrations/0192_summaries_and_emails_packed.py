"""Summaries of the turns that were closed before there were summaries, and the HTML of emails compressed.

In small steps, each a transaction of its own: stopped at any point, the migration continues where it was.
"""

from django.db import migrations, transaction

from campaign.accounts.history import history_of, news_of

AT_ONCE, EMAILS_AT_ONCE = 20, 200


def summarise(apps, schema_editor):
    """A summary of every report that has none. Voided turns have none."""
    reports, summaries = (apps.get_model("campaign", name)._base_manager for name in ("Report", "TurnSummary"))
    turns = apps.get_model("campaign", "Turn")._base_manager
    left = turns.filter(void="", reports__isnull=False, summaries__isnull=True).distinct().order_by("pk")
    while some := list(left.values_list("pk", flat=True)[:AT_ONCE]):
        with transaction.atomic(using=schema_editor.connection.alias):
            summaries.bulk_create(
                summaries.model(
                    turn_id=report.turn_id,
                    side_id=report.side_id,
                    events=history_of(report.events),
                    news=news_of(report.events) if report.side_id is not None else [],
                )
                for report in reports.filter(turn__in=some)
            )


def pack(apps, schema_editor):
    """The HTML of every email into its new column."""
    emails = apps.get_model("campaign", "Notice")._base_manager
    left = emails.filter(packed__isnull=True).order_by("pk")
    while some := list(left.values_list("pk", "html")[:EMAILS_AT_ONCE]):
        with transaction.atomic(using=schema_editor.connection.alias):
            for key, html in some:
                emails.filter(pk=key).update(packed=html)


def unpack(apps, schema_editor):
    """The way back."""
    emails = apps.get_model("campaign", "Notice")._base_manager
    for key, html in emails.values_list("pk", "packed").iterator(chunk_size=EMAILS_AT_ONCE):
        emails.filter(pk=key).update(html=html or "")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("campaign", "0191_turn_summaries")]

    operations = [
        migrations.RunPython(summarise, migrations.RunPython.noop),
        migrations.RunPython(pack, unpack),
    ]

"""One open turn a campaign, and one sign of life of the sweep. A database that holds two of either is mended first."""

from django.db import migrations, models

REASON = (
    "Turns {numbers} were open at once, because of an error in the program that is now corrected. Turn {first} goes on, and the others "
    "are void. They may have changed ships and fleets before that. Check these, and roll back if they are wrong."
)


def mend_turns(apps, schema_editor):
    """Voids what comes after the first turn of a campaign that is not closed, as a rollback does, and writes it into the umpire's log."""
    Turn = apps.get_model("campaign", "Turn")
    turns = Turn._base_manager.filter(void="")
    several = (
        turns.exclude(phase="closed")
        .order_by()
        .values("campaign")
        .annotate(first=models.Min("number"), count=models.Count("pk"))
        .filter(count__gt=1)
    )
    for found in several:
        later = turns.filter(campaign=found["campaign"], number__gt=found["first"]).select_related(
            "campaign__book"
        )
        light = later.only("number", "run", "campaign__demo_seed", "campaign__book__code")
        void_after(apps, found["first"], list(light.order_by("number")))


def void_after(apps, first, later):
    """later: the turns that have to be void, of one campaign."""
    Turn, Battle, Action, Notice = (
        apps.get_model(room, name)
        for room, name in (
            ("campaign", "Turn"),
            ("battles", "Battle"),
            ("campaign", "UmpireAction"),
            ("campaign", "Notice"),
        )
    )
    campaign = later[0].campaign
    code = campaign.book.code
    numbers = ", ".join(str(number) for number in (first, *(turn.number for turn in later)))
    action = Action._base_manager.create(
        campaign=campaign,
        turn=f"{code}/{first}",
        actor="the clock",
        action="voided turns opened by mistake",
        reason=REASON.format(numbers=numbers, first=first),
    )
    mark = f"second turn {action.pk}"
    dice_code = "DEMO" if campaign.demo_seed else code
    ids = [turn.pk for turn in later]
    Battle._base_manager.filter(contacts__turn__in=ids).update(status="void", claim=None, lease_until=None)
    Turn._base_manager.filter(pk__in=ids).update(void=mark, claim=None, lease_until=None)
    for turn in later:
        name = str(turn.number) if turn.run == 1 else f"{turn.number}r{turn.run}"
        for model, whose in (("ServiceRecord", "ship__book"), ("OfficerRecord", "officer__navy__book")):
            rows = apps.get_model("fleets", model)._base_manager.filter(**{whose: campaign.book_id}, void="")
            rows.filter(turn=f"{dice_code}/{name}").update(void=mark)
        told = Notice._base_manager.filter(campaign=campaign, void="")
        told.filter(event__startswith=f"{code}-T{name}-").update(void=mark)


def mend_heartbeat(apps, schema_editor):
    """Leaves the row that the sweeps write."""
    Heartbeat = apps.get_model("campaign", "Heartbeat")
    first = Heartbeat.objects.order_by("pk").first()
    if first is not None:
        Heartbeat.objects.exclude(pk=first.pk).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0096_mail_set_aside"),
        ("battles", "0030_routes_and_rollback"),
        ("fleets", "0050_import_batches"),
    ]

    operations = [
        migrations.RunPython(mend_turns, migrations.RunPython.noop),
        migrations.RunPython(mend_heartbeat, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(
                condition=models.Q(("void", ""), models.Q(("phase", "closed"), _negated=True)),
                fields=("campaign",),
                name="one_open_turn_in_a_campaign",
            ),
        ),
    ]

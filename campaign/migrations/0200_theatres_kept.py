"""A campaign keeps the theatre that it began with; those under way the one that they have now."""

import hashlib
import json

from django.db import migrations, models


def write_down(apps, schema_editor):
    for theatre in apps.get_model("campaign", "Theatre").objects.iterator():
        text = json.dumps(theatre.document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        theatre.campaigns.update(theatre_hash=hashlib.sha256(text.encode()).hexdigest())


class Migration(migrations.Migration):
    dependencies = [("campaign", "0198_encounters")]
    operations = [
        migrations.AlterModelOptions(
            name="theatre",
            options={
                "ordering": ["code", models.OrderBy(models.F("replaced"), descending=True, nulls_first=True)]
            },
        ),
        migrations.AddField(
            model_name="campaign",
            name="theatre_hash",
            field=models.CharField(blank=True, db_default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="theatre",
            name="replaced",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AlterField(model_name="theatre", name="code", field=models.SlugField()),
        migrations.AddConstraint(
            model_name="theatre",
            constraint=models.UniqueConstraint(
                condition=models.Q(("replaced", None)), fields=("code",), name="one_offered_theatre_a_code"
            ),
        ),
        migrations.RunPython(write_down, migrations.RunPython.noop),
    ]

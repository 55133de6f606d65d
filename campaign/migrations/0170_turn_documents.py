import django.db.models.deletion
from django.db import migrations, models

import campaign.models.packed


class Migration(migrations.Migration):
    dependencies = [("campaign", "0160_odds")]

    operations = [
        migrations.CreateModel(
            name="TurnDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("state", "State"), ("snapshot", "Snapshot"), ("books", "Books")],
                        max_length=8,
                    ),
                ),
                ("document", campaign.models.packed.PackedJSONField()),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
                        to="campaign.turn",
                    ),
                ),
            ],
            options={"ordering": ["turn", "kind"]},
        ),
        migrations.AddConstraint(
            model_name="turndocument",
            constraint=models.UniqueConstraint(
                fields=("turn", "kind"), name="one_document_a_kind_and_turn"
            ),
        ),
    ]

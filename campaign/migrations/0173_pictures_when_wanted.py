from django.db import migrations, models

import campaign.models.packed


class Migration(migrations.Migration):
    dependencies = [("campaign", "0172_turns_without_documents")]

    operations = [
        migrations.AddField(
            model_name="chartpicture",
            name="drawing",
            field=campaign.models.packed.PackedJSONField(null=True),
        ),
        migrations.AlterField(
            model_name="chartpicture", name="png", field=models.BinaryField(null=True)
        ),
    ]

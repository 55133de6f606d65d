from django.db import migrations

import campaign.models.packed


class Migration(migrations.Migration):
    dependencies = [("campaign", "0192_summaries_and_emails_packed")]

    operations = [
        migrations.RemoveField(model_name="notice", name="html"),
        migrations.RenameField(model_name="notice", old_name="packed", new_name="html"),
        migrations.AlterField(
            model_name="notice",
            name="html",
            field=campaign.models.packed.PackedJSONField(blank=True, default=str),
        ),
    ]

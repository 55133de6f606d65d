from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("campaign", "0171_documents_packed")]

    operations = [
        migrations.RemoveField(model_name="turn", name="state"),
        migrations.RemoveField(model_name="turn", name="snapshot"),
        migrations.RemoveField(model_name="turn", name="books"),
    ]

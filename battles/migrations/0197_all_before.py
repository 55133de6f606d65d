"""The tables of battles as the migrations up to 0197 leave them, for a database that has none.

It saves a new site most of its migrations. A site that has applied some of those that this one replaces goes on with them.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('battles', '0001_initial'), ('battles', '0030_routes_and_rollback'), ('battles', '0031_plain_words'), ('battles', '0040_result_sheets'), ('battles', '0197_battle_results')]

    initial = True

    dependencies = [
        ('fleets', '0197_all_before'),
    ]

    operations = [
        migrations.CreateModel(
            name='Battle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.SlugField(max_length=40)),
                ('title', models.CharField(max_length=120)),
                ('reference', models.CharField(max_length=60)),
                ('when', models.CharField(max_length=16)),
                ('place', models.CharField(max_length=80)),
                ('rule_set', models.CharField(max_length=30)),
                ('engine_version', models.PositiveIntegerField()),
                ('rules_hash', models.CharField(blank=True, max_length=64)),
                ('seed', models.CharField(max_length=64)),
                ('seed_hash', models.CharField(max_length=64)),
                ('route', models.CharField(choices=[('engine', 'by computer'), ('orders', 'by orders'), ('table', 'on the tabletop')], default='engine', max_length=6)),
                ('status', models.CharField(choices=[('ready', 'to be fought'), ('fighting', 'Fighting'), ('fought', 'fought, result not yet applied'), ('written', 'finished'), ('failed', 'Failed'), ('void', 'Void')], default='ready', max_length=8)),
                ('claim', models.UUIDField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('error', models.TextField(blank=True)),
                ('spawned', models.DateTimeField(auto_now_add=True)),
                ('fought', models.DateTimeField(blank=True, null=True)),
                ('book', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='battles', to='fleets.book')),
            ],
            options={
                'ordering': ['book', 'when', 'code'],
                'constraints': [models.UniqueConstraint(fields=('book', 'code'), name='one_battle_a_code_in_a_book')],
            },
        ),
        migrations.CreateModel(
            name='BattleLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('packed', models.BinaryField()),
                ('count', models.PositiveIntegerField()),
                ('luck', models.JSONField(blank=True, default=dict)),
                ('battle', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='log', to='battles.battle')),
            ],
        ),
        migrations.CreateModel(
            name='BattleOutcome',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('document', models.JSONField()),
                ('roster_digest', models.CharField(max_length=64)),
                ('state_hash', models.CharField(blank=True, max_length=64)),
                ('version', models.PositiveIntegerField(default=1)),
                ('sheet', models.JSONField(blank=True, default=dict)),
                ('proposed_by', models.CharField(blank=True, max_length=150)),
                ('side', models.CharField(blank=True, max_length=10)),
                ('proposed', models.DateTimeField(blank=True, null=True)),
                ('written_in', models.CharField(blank=True, max_length=60)),
                ('status', models.CharField(choices=[('draft', 'being entered'), ('proposed', 'waiting for both sides'), ('disputed', 'disputed, the umpire decides'), ('confirmed', 'accepted'), ('written', 'applied')], default='proposed', max_length=9)),
                ('written', models.DateTimeField(blank=True, null=True)),
                ('battle', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='outcome', to='battles.battle')),
            ],
            options={
                'verbose_name': 'battle result',
            },
        ),
        migrations.CreateModel(
            name='OutcomeAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('side', models.CharField(max_length=10)),
                ('by', models.CharField(max_length=150)),
                ('answer', models.CharField(choices=[('confirmed', 'Confirmed'), ('disputed', 'Disputed')], max_length=9)),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('outcome', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='battles.battleoutcome')),
            ],
            options={
                'ordering': ['outcome', 'at'],
                'constraints': [models.UniqueConstraint(fields=('outcome', 'version', 'side'), name='one_answer_a_side_and_outcome')],
            },
        ),
        migrations.CreateModel(
            name='Roster',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scenario', models.JSONField()),
                ('digest', models.CharField(max_length=64)),
                ('navies', models.JSONField(default=list)),
                ('ships', models.PositiveSmallIntegerField(default=0)),
                ('battle', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='roster', to='battles.battle')),
            ],
        ),
    ]

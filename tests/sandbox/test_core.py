"""Commands, answers, buttons and messages, as discord.py and people meet them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import discord
import pytest
from discord import app_commands

from bot.sandbox import SandboxError

if TYPE_CHECKING:
    from tests.sandbox.conftest import Scene

Interaction = discord.Interaction[discord.Client]


class Question(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Yes, I lost", custom_id="yes")
    async def yes(self, interaction: Interaction, _: discord.ui.Button[Question]) -> None:
        await interaction.response.edit_message(content="Rated", view=None)

    @discord.ui.button(label="Later", custom_id="later")
    async def later(self, interaction: Interaction, _: discord.ui.Button[Question]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="Later it is")

    @discord.ui.button(label="Never", custom_id="never", disabled=True)
    async def never(self, _: Interaction, __: discord.ui.Button[Question]) -> None:
        raise AssertionError


def add_report(scene: Scene) -> None:
    @scene.bot.tree.command(description="Report a game")
    @app_commands.choices(result=[app_commands.Choice(name="I won", value="win")])
    async def report(
        interaction: Interaction,
        opponent: discord.Member,
        result: app_commands.Choice[str],
        score: app_commands.Range[int, 0, 999] = 0,
    ) -> None:
        await interaction.response.send_message(
            f"{opponent.mention}: {result.name} with {score}",
            view=Question(),
            allowed_mentions=discord.AllowedMentions(users=[opponent]),
        )


async def test_a_command_is_answered(scene: Scene) -> None:
    add_report(scene)
    await scene.start()

    answer = await scene.ann.slash(
        scene.channel, "report", opponent=scene.bob, result="win", score=412
    )

    assert answer.text == f"{scene.bob.mention}: I won with 412"
    message = answer.message
    assert message is not None
    assert message.pings == [scene.bob.id]
    assert [button.label for button in message.buttons] == ["Yes, I lost", "Later", "Never"]
    assert message.author.name == "Parlour"
    assert message.channel == scene.channel
    assert (answer.ephemeral, answer.deferred, answer.failed) == (False, False, False)
    assert [each.id for each in scene.channel.messages] == [message.id]
    assert scene.sandbox.breaches == []


async def test_what_the_definition_refuses_is_not_sent(scene: Scene) -> None:
    add_report(scene)
    await scene.start()
    ann, bob, channel = scene.ann, scene.bob, scene.channel

    with pytest.raises(SandboxError, match="result is required"):
        await ann.slash(channel, "report", opponent=bob)
    with pytest.raises(SandboxError, match="has no option scores"):
        await ann.slash(channel, "report", opponent=bob, result="win", scores=1)
    with pytest.raises(SandboxError, match="one of"):
        await ann.slash(channel, "report", opponent=bob, result="loss")
    with pytest.raises(SandboxError, match="from 0 to 999"):
        await ann.slash(channel, "report", opponent=bob, result="win", score=1000)
    with pytest.raises(SandboxError, match="takes somebody"):
        await ann.slash(channel, "report", opponent="Bob", result="win")
    with pytest.raises(SandboxError, match="not registered"):
        await ann.slash(channel, "reports")
    assert scene.channel.messages == []


async def test_buttons(scene: Scene) -> None:
    add_report(scene)
    await scene.start()
    asked = await scene.ann.slash(scene.channel, "report", opponent=scene.bob, result="win")
    message = asked.message
    assert message is not None

    with pytest.raises(SandboxError, match="disabled"):
        await scene.bob.press(message, "Never")
    with pytest.raises(SandboxError, match="there is no button Perhaps"):
        await scene.bob.press(message, "Perhaps")

    later = await scene.bob.press(message, custom_id="later")
    await later.settled()
    assert later.deferred
    assert later.text == "Later it is"

    yes = await scene.bob.press(message, "Yes")
    assert yes.message is not None
    assert yes.message.id == message.id
    assert (message.text, message.buttons, message.edited) == ("Rated", [], True)
    assert scene.sandbox.breaches == []


async def test_an_ephemeral_answer_is_seen_by_one(scene: Scene) -> None:
    @scene.bot.tree.command(description="Whisper")
    async def whisper(interaction: Interaction) -> None:
        await interaction.response.send_message("psst", ephemeral=True, view=Question())

    await scene.start()
    answer = await scene.ann.slash(scene.channel, "whisper")

    assert answer.ephemeral
    assert scene.channel.messages == []
    assert [each.text for each in scene.channel.seen_by(scene.ann)] == ["psst"]
    assert scene.channel.seen_by(scene.bob) == []
    assert answer.message is not None
    with pytest.raises(SandboxError, match="does not see"):
        await scene.bob.press(answer.message, "Yes")


async def test_a_deferred_answer_settles(scene: Scene) -> None:
    go_on = asyncio.Event()

    @scene.bot.tree.command(description="Think")
    async def think(interaction: Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        await go_on.wait()
        await interaction.followup.send("thought")
        await interaction.followup.send("and more", ephemeral=True)

    await scene.start()
    answer = await scene.ann.slash(scene.channel, "think")
    assert answer.deferred
    assert answer.text == ""
    go_on.set()
    await answer.settled()
    await scene.sandbox.until(lambda: answer.followups[0].text == "and more")
    assert answer.text == "thought\nand more"
    assert answer.ephemeral


async def test_a_late_answer_is_refused(scene: Scene) -> None:
    codes = asyncio.Queue[int]()
    go_on = asyncio.Event()

    @scene.bot.tree.command(description="Sleep")
    async def sleep(interaction: Interaction) -> None:
        await go_on.wait()
        try:
            await interaction.response.send_message("too late")
        except discord.NotFound as error:
            codes.put_nowait(error.code)

    await scene.start()
    answer = await scene.ann.slash(scene.channel, "sleep")
    assert answer.failed
    go_on.set()
    assert await asyncio.wait_for(codes.get(), 1) == 10062


async def test_a_second_answer_is_refused(scene: Scene) -> None:
    codes = asyncio.Queue[int]()

    @scene.bot.tree.command(description="Twice")
    async def twice(interaction: Interaction) -> None:
        await interaction.response.send_message("once")
        again = discord.InteractionResponse[discord.Client](interaction)
        try:
            await again.send_message("twice")
        except discord.HTTPException as error:
            codes.put_nowait(error.code)

    await scene.start()
    await scene.ann.slash(scene.channel, "twice")
    assert await asyncio.wait_for(codes.get(), 1) == 40060


async def test_the_bot_posts_edits_and_deletes(scene: Scene) -> None:
    add_report(scene)
    await scene.start()
    channel = scene.text_channel()

    posted = await channel.send("one", nonce="a", embed=discord.Embed(title="Ladder"))
    assert [each.text for each in scene.channel.messages] == ["one\nLadder"]
    assert scene.channel.messages[0].nonce == "a"
    edited = await posted.edit(content="two")
    assert (edited.content, scene.channel.messages[0].text) == ("two", "two\nLadder")
    assert (await channel.fetch_message(posted.id)).content == "two"
    assert [each.id async for each in channel.history()] == [posted.id]
    await posted.delete()
    assert scene.channel.messages == []
    with pytest.raises(discord.NotFound) as caught:
        await channel.fetch_message(posted.id)
    assert caught.value.code == 10008
    assert scene.sandbox.breaches == []

"""A Discord on loopback: enough of it to run a real bot, and to see what people would see."""

from bot.sandbox.answers import Answer, Modal
from bot.sandbox.errors import SandboxError
from bot.sandbox.messages import Button, Message
from bot.sandbox.people import Channel, Guild, Member, Role
from bot.sandbox.server import RequestRecord, Sandbox
from bot.sandbox.world import Upload

__all__ = [
    "Answer",
    "Button",
    "Channel",
    "Guild",
    "Member",
    "Message",
    "Modal",
    "RequestRecord",
    "Role",
    "Sandbox",
    "SandboxError",
    "Upload",
]

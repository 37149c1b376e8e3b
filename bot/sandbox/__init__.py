"""A Discord on loopback: enough of it to run a real bot, and to see what people would see."""

from bot.sandbox.errors import SandboxError
from bot.sandbox.people import Answer, Channel, Guild, Member, Message, Role
from bot.sandbox.server import RequestRecord, Sandbox

__all__ = [
    "Answer",
    "Channel",
    "Guild",
    "Member",
    "Message",
    "RequestRecord",
    "Role",
    "Sandbox",
    "SandboxError",
]

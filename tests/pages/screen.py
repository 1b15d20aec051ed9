"""What the tests of the queue share: signing in, pressing a verdict, reading the screen."""

from __future__ import annotations

import time

from streamlit.testing.v1 import AppTest

from pages.components.verdict import SETTLE_SECONDS


def html_of(test: AppTest) -> str:
    """All HTML on the screen."""
    return "\n".join(element.proto.body for element in test.html)


def sign_in(test: AppTest, name: str = "Ada") -> AppTest:
    """Give a name where it is asked for."""
    test.text_input(key="sign-in-name").set_value(name)
    return test.button(key="sign-in-send").click().run()


def parameter(test: AppTest, name: str) -> str:
    """What the URL says for a name."""
    value = test.query_params[name]
    return value if isinstance(value, str) else value[-1]


def opened_item(test: AppTest) -> int:
    """The id the URL says is open."""
    return int(parameter(test, "item"))


def press(test: AppTest, verdict: str) -> AppTest:
    """Press a verdict on the open item, once it has been there for long enough to be read."""
    time.sleep(SETTLE_SECONDS)
    return test.button(key=f"{verdict}-{opened_item(test)}").click().run()


def toasts(test: AppTest) -> list[str]:
    """What the last redraw said in passing."""
    return [toast.value for toast in test.toast]

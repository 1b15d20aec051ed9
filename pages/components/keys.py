"""Keys and clicks that Streamlit's own shortcuts do not serve.

A few lines of script on the page, in a component without a frame: ``/`` goes to the search, ``f`` to the
failure type, ``?`` opens the help, Ctrl+Enter saves from inside a text field, a click on a sentence of the
answer selects it, arrow keys do not scroll, and what is typed into a note is sent after a moment's pause, so
that a lost session loses next to nothing. Keys are dead while one types, while the page is at work and while
a dialog is open.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

PAUSE_MILLISECONDS = 1_500
"""A pause in typing after which what stands in a field is sent."""

_SCRIPT = """
export default function(component) {
  const { setTriggerValue, data } = component;
  const press = name => {
    const button = document.querySelector(`.st-key-${name} button:not([disabled])`);
    if (button) button.click();
    return !!button;
  };
  const typing = target => !!target.closest &&
    !!target.closest('input, textarea, select, [contenteditable="true"], [role="combobox"]');
  const busy = () => !!document.querySelector('[role="dialog"]') ||
    !!document.querySelector('[data-test-script-state="running"]');
  const commit = field => field.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true }));
  const waiting = new Map();
  const onInput = event => {
    const field = event.target;
    if (!field.closest || !field.closest('.st-key-desk-verdict textarea')) return;
    clearTimeout(waiting.get(field));
    waiting.set(field, setTimeout(() => { if (field.isConnected) commit(field); }, data.pause));
  };
  const onKey = event => {
    if (!event.isTrusted || event.altKey) return;
    const control = event.ctrlKey || event.metaKey;
    const inType = event.target.closest && event.target.closest('[class*="st-key-type-"]');
    if (inType && (event.key === 'Enter' || event.key === 'Escape')) {
      const field = event.target;
      setTimeout(() => field.blur(), 150);
      return;
    }
    if (control && event.key === 'Enter' && event.target.closest('.st-key-desk-verdict textarea')) {
      event.target.blur();
      setTimeout(() => press('save-next'), 150);
      return;
    }
    if (typing(event.target) || busy() || control) return;
    if (event.key === '/') {
      const search = document.querySelector('.st-key-filter-q input');
      if (search) { event.preventDefault(); search.focus(); search.select(); }
    } else if (event.key === 'f' || event.key === 'F') {
      const type = document.querySelector('[class*="st-key-type-"] input');
      if (type) { event.preventDefault(); type.focus(); type.click(); }
    } else if (event.key === '?') {
      event.preventDefault();
      press('help-keys');
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
    } else if (event.key === 'j' || event.key === 'J') {
      press('skip');
    } else if (event.key === 'k' || event.key === 'K') {
      press('back');
    }
  };
  const onClick = event => {
    const picked = event.target.closest ? event.target.closest('[data-sentence]') : null;
    if (picked && !String(window.getSelection())) setTriggerValue('sentence', picked.dataset.sentence);
  };
  document.addEventListener('input', onInput, true);
  document.addEventListener('keydown', onKey, true);
  document.addEventListener('click', onClick, true);
  return () => {
    document.removeEventListener('input', onInput, true);
    document.removeEventListener('keydown', onKey, true);
    document.removeEventListener('click', onClick, true);
    waiting.forEach(clearTimeout);
  };
}
"""


def listen(picked: Callable[[int], None] | None = None) -> None:
    """Listen on the page it is drawn on; ``picked`` is told the index of a sentence that was clicked."""

    def on_sentence() -> None:
        found = st.session_state.get("keys")
        asked = str(getattr(found, "sentence", None) or "")
        if picked is not None and asked.isdigit():
            picked(int(asked))

    _component()(
        key="keys",
        data={"pause": PAUSE_MILLISECONDS},
        on_sentence_change=on_sentence,
        height=1,
    )


def _component() -> Callable[..., object]:
    # Not kept: a registry belongs to a running server, of which a process may have several in turn.
    return st.components.v2.component("proofdesk_keys", js=_SCRIPT, isolate_styles=False)

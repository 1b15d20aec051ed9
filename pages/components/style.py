"""The style sheet. Colours are mixed from the text's own, so that they hold in light and dark alike."""

from __future__ import annotations

import streamlit as st


def apply() -> None:
    """Put the style sheet on the page."""
    st.html(f"<style>{CSS}</style>")


CSS = """
[data-testid="stMainBlockContainer"] { padding-left: 2rem; padding-right: 2rem; }
.pd-title { font-size: 1.35rem; font-weight: 600; margin: 0; padding: 0; line-height: 2.4rem; }
.pd-subtitle, .pd-item h2, .pd-end h2 { font-size: .95rem; font-weight: 600; margin: 0;
  padding: 0 0 .35rem; }
.pd-quiet { color: color-mix(in srgb, currentColor 72%, transparent); }
.pd-small { font-size: .82rem; }
.pd-number { font-variant-numeric: tabular-nums; text-align: right; }
kbd { font: inherit; font-size: .78rem; padding: 0 .3rem; border-radius: 3px;
  border: 1px solid color-mix(in srgb, currentColor 30%, transparent); }

.pd-item { display: flex; flex-direction: column; gap: 1rem; font-size: .95rem; line-height: 1.5; }
:where(.pd-item) p { margin: 0; font-size: inherit; }
.pd-head { display: flex; flex-direction: column; gap: .25rem; }
.pd-line { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .6rem; }
.pd-id { font-size: 1.05rem; overflow-wrap: anywhere; }
.pd-badge, .pd-chip { font-size: .78rem; font-weight: 600; line-height: 1.3rem; padding: 0 .5rem;
  border-radius: 4px;
  border: 1px solid color-mix(in srgb, currentColor 28%, transparent); overflow-wrap: anywhere; }
.pd-chip { font-weight: 500; }
.pd-badge.pd-accept { background: rgba(59, 130, 196, .22); border-color: #3b82c4; }
.pd-badge.pd-review { background: rgba(227, 163, 43, .25); border-color: #e3a32b; }
.pd-badge.pd-reject { background: rgba(184, 67, 107, .22); border-color: #b8436b; }
.pd-warning { font-size: .88rem; border-left: 3px solid #e3a32b; padding-left: .5rem; }
.pd-question { font-size: 1.12rem; font-weight: 600; line-height: 1.4; white-space: pre-wrap;
  overflow-wrap: anywhere;
  max-height: 16rem; overflow-y: auto; }
.pd-text { white-space: pre-wrap; overflow-wrap: anywhere; }
.pd-answer { padding: .65rem .85rem; border-radius: 6px; line-height: 1.65;
  background: color-mix(in srgb, currentColor 4%, transparent);
  border: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
mark.pd-low, mark.pd-evidence { color: inherit; border-radius: 2px; padding: .05em 0;
  box-decoration-break: clone;
  -webkit-box-decoration-break: clone; }
mark.pd-low { background: rgba(227, 163, 43, .30); text-decoration: underline wavy #c9861a 1px;
  text-underline-offset: 3px; }
u.pd-finding { text-decoration: underline double #b8436b 1px; text-underline-offset: 3px; }
.pd-findings { margin: 0; padding-inline-start: 1.1rem; font-size: .88rem; }
.pd-findings li::marker { content: "✗ "; }
.pd-sentence { cursor: pointer; }
.pd-sentence.pd-current { outline: 2px solid #3b82c4; outline-offset: 1px; border-radius: 2px; }
mark.pd-evidence.pd-now { outline: 2px solid #3b82c4; }
.pd-card { padding: .5rem .75rem; border-inline-start: 3px solid #3b82c4; font-size: .92rem;
  overflow-wrap: anywhere; background: color-mix(in srgb, currentColor 4%, transparent); }
.pd-doubts summary { cursor: pointer; padding: .35rem 0; }
.pd-table a { color: inherit; }
.pd-plain li::marker { content: "· "; }
.st-key-keys, .st-key-language-kept { display: none; }
[data-testid="stLayoutWrapper"]:has(> .st-key-language) { position: fixed; top: .75rem; right: 3.6rem;
  width: auto; z-index: 999991; }
.st-key-language { width: auto; }
@media (max-width: 1000px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-language) { right: .3rem; }
  .st-key-language button { padding: .1rem .3rem; }
}
.st-key-language button { min-height: 1.6rem; padding: .1rem .5rem; font-size: .78rem; }
mark.pd-evidence { background: rgba(59, 130, 196, .20); border-bottom: 2px dotted #3b82c4; }
.pd-sign { font-size: .74rem; font-weight: 700; white-space: nowrap; margin-inline-start: .15rem;
  unicode-bidi: isolate; direction: ltr; }
.pd-doubt { display: grid; grid-template-columns: 2rem 1fr 2.6rem; gap: .1rem .3rem; padding: .4rem 0;
  border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); overflow-wrap: anywhere; }
.pd-doubt > .pd-sign { font-size: .85rem; line-height: 1.5rem; }
.pd-best { font-size: .88rem; }
.pd-quote { border-bottom: 2px dotted #3b82c4; }
.pd-passage { border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
.pd-passage summary { cursor: pointer; padding: .35rem 0; display: flex; gap: .5rem; align-items: baseline;
  list-style: none; }
.pd-passage summary::before { content: "▸"; width: .7rem; flex: none; }
.pd-passage[open] summary::before { content: "▾"; }
.pd-passage summary b { white-space: nowrap; }
.pd-preview { flex: 1; min-width: 0; overflow: hidden; white-space: nowrap; text-overflow: ellipsis;
  font-size: .88rem; }
.pd-passage[open] .pd-preview { visibility: hidden; }
.pd-size { font-size: .8rem; white-space: nowrap; }
.pd-passage .pd-text { padding: 0 0 .6rem 1.2rem; }
.pd-scores { display: grid; grid-template-columns: repeat(auto-fill, minmax(145px, 1fr));
  gap: .45rem 1.1rem; }
.pd-score { display: grid; grid-template-columns: 1fr auto; column-gap: .4rem; font-size: .84rem;
  line-height: 1.35; align-content: start; }
.pd-score .pd-bar { grid-column: 1 / -1; }
.pd-reason { grid-column: 1 / -1; font-size: .76rem; opacity: .8; overflow-wrap: anywhere; }
.pd-help summary { cursor: pointer; padding: .3rem 0; }
.pd-help dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: .15rem .8rem; }
.pd-help dt { font-weight: 600; }
.pd-help dd { margin: 0; }
.pd-bar { height: 4px; border-radius: 2px; overflow: hidden; margin-top: 2px;
  background: color-mix(in srgb, currentColor 14%, transparent); }
.pd-bar > div { height: 100%; background: color-mix(in srgb, #3b82c4 80%, currentColor); }
.pd-origin { overflow-wrap: anywhere; }

.pd-progress { font-size: .9rem; }
.pd-progress .pd-bar { height: 6px; margin-top: .3rem; border-radius: 3px; }
.pd-list-head { margin: 0; line-height: 1.5rem; }
.st-key-chart-head .pd-subtitle { padding: 0; }
.st-key-desk-list, .st-key-desk-verdict, .st-key-desk-verdict [data-testid="stForm"] > div { gap: .6rem; }
.st-key-who, .st-key-list-pager { font-size: .88rem; }
.st-key-desk-verdict { padding: 2px; }
.pd-mine, .pd-others { font-size: .88rem; overflow-wrap: anywhere; }
.pd-label { padding: .25rem 0; }
.pd-note { white-space: pre-wrap; padding-left: .6rem;
  border-left: 2px solid color-mix(in srgb, currentColor 25%, transparent); }
.pd-end { padding: 2.5rem 0 1rem; }
.pd-end h2 { font-size: 1.2rem; }

.st-key-queue-rows button { justify-content: flex-start; text-align: left; padding: .4rem .6rem;
  min-height: 0;
  border-radius: 0; border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
.st-key-queue-rows button p { white-space: pre-line; text-align: left; font-size: .86rem; line-height: 1.38;
  overflow-wrap: anywhere; }
.st-key-queue-rows button > div { justify-content: flex-start; width: 100%; }
.st-key-queue-rows [class*="-open"] button { background: color-mix(in srgb, #3b82c4 16%, transparent);
  box-shadow: inset 3px 0 0 #3b82c4; }

.pd-tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: .6rem; }
.pd-tile { display: flex; flex-direction: column; padding: .55rem .8rem; border-radius: 6px;
  line-height: 1.35;
  border: 1px solid color-mix(in srgb, currentColor 16%, transparent); border-top-width: 3px; }
.pd-tile b { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.pd-tile-name, .pd-tile .pd-quiet { font-size: .82rem; }
.pd-tile.pd-accept { border-top-color: #3b82c4; }
.pd-tile.pd-review { border-top-color: #e3a32b; }
.pd-tile.pd-reject { border-top-color: #b8436b; }
.pd-scroll { overflow-x: auto; }
.pd-table { border-collapse: collapse; width: 100%; font-size: .86rem; }
.pd-table th, .pd-table td { padding: .32rem .6rem; text-align: left; white-space: nowrap; border: 0;
  border-bottom: 1px solid color-mix(in srgb, currentColor 13%, transparent); }
.pd-table th { font-weight: 600; }
.pd-table .pd-number { text-align: right; }

.st-key-desk [data-testid="stColumn"]:has(.st-key-desk-verdict) { position: sticky; top: 3.75rem;
  align-self: flex-start; max-height: calc(100vh - 4rem); overflow-y: auto; }
@media (min-width: 1001px) {
  .st-key-desk [data-testid="stColumn"]:has(.st-key-desk-list) { position: sticky; top: 3.75rem;
    align-self: flex-start; max-height: calc(100vh - 4rem); overflow-y: auto; }
}
@media (max-width: 1000px) {
  .st-key-desk [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) { flex-wrap: wrap;
  gap: 1rem; }
  .st-key-desk [data-testid="stColumn"] { min-width: 0; }
  .st-key-desk [data-testid="stColumn"]:has(.st-key-desk-item) { flex: 1 1 55%; order: 1; }
  .st-key-desk [data-testid="stColumn"]:has(.st-key-desk-verdict) { flex: 0 0 200px; order: 2; }
  .st-key-desk [data-testid="stColumn"]:has(.st-key-desk-list) { flex: 1 1 100%; order: 3; }
}
@media (max-width: 1000px) {
  .pd-tiles { grid-template-columns: repeat(3, 1fr); }
  .pd-table th, .pd-table td { padding: .32rem .4rem; }
}
@media (max-width: 640px) {
  .pd-tiles { grid-template-columns: repeat(2, 1fr); }
  .st-key-desk [data-testid="stColumn"]:has(.st-key-desk-verdict) { flex: 1 1 100%; }
}
"""

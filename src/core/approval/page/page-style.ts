/** The style of the page of a draft, in the colours of the approval page. */
const draftStyle = `
.draft { display: grid; gap: .75rem; }
.draft > *, .draft .alert, .draft .outcome { min-width: 0; margin-bottom: 0; }
.draft > .sum, .draft > .next { margin: -.5rem 0 0; }
.draft > .sum { color: var(--soft); font-size: .94rem; }
.draft .state { display: inline-block; vertical-align: .25em; padding: .1em .7em; border: 1px solid currentcolor; border-radius: 1em; color: var(--soft); font-size: max(.42em, .78rem); font-weight: 650; line-height: 1.5; }
.draft .state.good, .result.good { color: var(--good); }
.draft .state.bad, .result.bad { color: var(--bad); }
.draft .state.care { background: var(--care); color: var(--care-ink); }
.draft .decide { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; margin-top: .6rem; }
.draft .outcome h2 { margin-bottom: .35rem; }
.result.care { color: var(--care-ink); background: var(--care); padding: 0 .3rem; border-radius: .25rem; }
.draft tbody th { font-weight: 400; }
.draft .number { padding-right: .75rem; white-space: nowrap; }
.draft td.number:first-child { width: 1%; }
.draft .why { display: block; color: var(--soft); }
.draft .sent { margin-top: .6rem; }
.draft .sent th .why { font-size: .9em; }
.draft details[open] > summary { margin-bottom: .35rem; }
.draft .cure { margin: .6rem 0 .4rem; }
.draft .alert.bad p + p { margin-top: .35rem; }
.draft .about > .soft { margin-top: .5rem; font-size: .94rem; }
.draft .edit { display: grid; grid-template-columns: minmax(0, 12rem) auto; gap: .2rem .6rem; justify-content: start; margin-bottom: .7rem; }
.draft .edit label { grid-column: 1 / -1; }
.stop { display: grid; grid-template-columns: auto 1fr; gap: .75rem; align-items: center; margin: .6rem 0; }
.stop-button { background: var(--live); min-width: 7rem; }
.draft .discard p { margin-bottom: .6rem; }
.draft .more { display: grid; gap: .35rem; }
@media (max-width: 24rem) {
  .stop { grid-template-columns: 1fr; }
  .draft .decide .button { width: 100%; }
}
`;

/**
 * The style of the pages, sent unchanged because its hash is in the policy. The colours meet WCAG AA in both
 * schemes.
 */
const base = `
:root {
  color-scheme: light dark;
  --paper: #f3f4f6; --card: #ffffff; --ink: #15181c; --soft: #555d68; --line: #dcdfe5; --field: #868e99;
  --live: #b00020; --calm: #2f5d62; --act: #0b57c4; --on: #ffffff;
  --buy: #2f3945; --buy-on: #ffffff; --sell: #d9dee6; --sell-on: #15181c;
  --care: #fff2d2; --care-ink: #4f3500; --care-line: #d39b1d;
  --good: #0c6b3d; --bad: #a4132b; --refused: #fdecee; --focus: #15181c;
  --shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 1px 8px rgb(0 0 0 / 4%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1216; --card: #1a1f26; --ink: #eef1f5; --soft: #a9b2be; --line: #323a45; --field: #7b8694;
    --live: #c2132c; --calm: #2c5c62; --act: #2a66d9;
    --buy: #dfe4ea; --buy-on: #15181c; --sell: #404a57; --sell-on: #eef1f5;
    --care: #33270c; --care-ink: #ffe3a3; --care-line: #a97a17;
    --good: #6fd6a0; --bad: #ff97a5; --refused: #3b1a20; --focus: #ffffff;
    --shadow: none;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
p, h1, h2, dl, dd, ul { margin: 0; }
/* One click selects a command, and it wraps between its parts alone. */
.command { user-select: all; }
.command span { white-space: nowrap; }
code { font: .94em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.soft, .hint, caption { color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none; }

.banner { background: var(--calm); color: var(--on); }
.live .banner { background: var(--live); }
.banner { position: sticky; top: 0; z-index: 2; }
.banner p { max-width: 68rem; margin: 0 auto; padding: .6rem 1rem; display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; }
.banner strong { font-size: 1.3rem; letter-spacing: .08em; }

main { max-width: 68rem; margin: 0 auto; padding: 1rem 1rem 2rem; }
.plain { padding-top: 2rem; }
.plain p { max-width: 36rem; }
.plain h1 { font-size: 1.5rem; margin-bottom: .5rem; }

h1 { font-size: clamp(1.6rem, 1.3rem + 1.2vw, 1.9rem); line-height: 1.2; font-weight: 700; }
.side { display: inline-block; padding: 0 .4em; border-radius: .25em; color: var(--sell-on); background: var(--sell); font-size: .82em; font-weight: 650; letter-spacing: .04em; }
.side.buy { color: var(--buy-on); background: var(--buy); }
h1.long { font-size: clamp(1.3rem, 1rem + 1vw, 1.6rem); }
h1 .side { font-size: inherit; font-weight: inherit; }
.times { color: var(--soft); font-weight: 400; }
/* The name is what a person reads; the symbol is beside it. */
.name + .ticker { color: var(--soft); font-size: .82em; font-weight: 400; }
h1 .name + .ticker { font-size: .5em; }
.sum { margin: .15rem 0 1rem; }
.type:has(+ .pending) { margin-bottom: 0; }
.sum.pending { margin-top: 0; font-weight: 650; }
.type div { display: block; padding: 0; }
.type dt { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.repetition { padding: .75rem 1rem; margin-bottom: 1rem; border-radius: .6rem; background: #ffc53d; color: #2a1c00; }
.alert {
  padding: .65rem .9rem; margin-bottom: 1rem; border-radius: .6rem;
  background: var(--care); color: var(--care-ink); border: 1px solid var(--care-line); border-left-width: 6px;
}
.repetition strong { display: block; font-size: 1.15rem; letter-spacing: .04em; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .9rem 1rem; box-shadow: var(--shadow); }
.facts { display: grid; gap: .75rem; align-content: start; min-width: 0; }
h2 { font-size: .82rem; font-weight: 650; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin-bottom: .45rem; }
h2 bdi { text-transform: none; letter-spacing: 0; }
dl div { display: grid; grid-template-columns: minmax(6.5rem, 40%) 1fr; gap: .15rem .75rem; padding: .32rem 0; border-top: 1px solid var(--line); }
dl div:first-child { border-top: 0; padding-top: 0; }
dl div:last-child { padding-bottom: 0; }
dt { color: var(--soft); }
dd { unicode-bidi: isolate; min-width: 0; }
dd b { font-weight: 650; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); gap: .8rem 1.25rem; align-items: start; }
.figures div { display: block; padding: 0; border: 0; }
.figures dt { font-size: .88rem; }
.figures dd { font-size: 1.35rem; line-height: 1.3; }
.figures .note { color: var(--soft); font-size: .88rem; line-height: 1.4; }
.figures .note b { color: var(--ink); }
.figures .unknown { font-size: .75em; white-space: normal; }
.figures .note .unknown { font-size: inherit; white-space: nowrap; }
.figures .aside { color: var(--soft); font-size: .7em; white-space: nowrap; }
.figures .note .aside { font-size: inherit; }
.lesser { margin-top: .8rem; padding-top: .55rem; border-top: 1px solid var(--line); font-size: .94rem; }
.lesser > div:nth-child(n) { grid-template-columns: 9.25rem 1fr; padding: .18rem 0; border: 0; }
.identity { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; color: var(--soft); font-size: .85rem; }
.identity div { display: block; padding: 0; border: 0; }
.identity dt, .identity dd { display: inline; margin-right: .3rem; }
.facts > section:not(.card) { padding-inline: 1rem; }
.flag, .unknown { background: var(--care); color: var(--care-ink); border-radius: .3rem; padding: .05rem .4rem; font-weight: 650; }
.unknown { white-space: nowrap; }
dd .flag { display: inline-block; }

table { width: 100%; border-collapse: collapse; font-size: .94rem; }
caption { text-align: left; padding-bottom: .35rem; }
th, td { text-align: left; vertical-align: top; padding: .32rem .5rem .32rem 0; border-top: 1px solid var(--line); font-weight: 400; }
thead th { border-top: 0; color: var(--soft); font-size: .85rem; }
tbody th, td b { font-weight: 650; }
th { overflow-wrap: normal; }
.number { text-align: right; padding-right: 1.25rem; }
.price { display: inline-block; margin-right: .4rem; }
th:last-child, td:last-child { padding-right: 0; }

.outcome { margin-bottom: 1rem; border-left-width: 6px; }
.outcome h2 { font-size: 1.5rem; letter-spacing: 0; text-transform: none; color: var(--ink); line-height: 1.25; }
.outcome p + p { margin-top: .35rem; }
.outcome.good { border-left-color: var(--good); }
.outcome.good h2 { color: var(--good); }
.outcome.wait { border-left-color: var(--act); }
.outcome.bad { border-left-color: var(--bad); }
.outcome.bad h2 { color: var(--bad); }
.outcome.care { background: var(--care); border-color: var(--care-line); color: var(--care-ink); }
.outcome.care h2, .outcome.care .soft { color: inherit; }

.decision { display: grid; gap: .6rem .75rem; grid-template-columns: 1fr auto; align-items: center; margin-top: .75rem; }
.decision > * { grid-column: 1 / -1; min-width: 0; }
.decision h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.decision > .countdown { grid-column: 1; grid-row: 1; }
.decision > .reject { grid-column: 2; grid-row: 1; }
.countdown { font-weight: 650; }
.countdown.few { color: var(--bad); }
progress { display: block; width: 100%; height: 4px; appearance: none; border: 0; border-radius: 2px; overflow: hidden; background: var(--line); }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--soft); }
progress::-moz-progress-bar { background: var(--soft); }
.approve { display: grid; gap: .3rem .6rem; grid-template-columns: 1fr auto; }
.approve label { grid-column: 1 / -1; font-weight: 600; }
.approve > p, .approve > p ~ .button { grid-column: 1 / -1; margin: 0; }
.code { margin: 0; font-size: 2.2rem; letter-spacing: .1em; }
::placeholder { color: var(--soft); opacity: 1; }
input, .button { font: inherit; min-height: 2.75rem; border-radius: .5rem; }
a.button { display: inline-grid; place-items: center; text-decoration: none; }
input { width: 100%; min-width: 0; padding: .4rem .7rem; color: var(--ink); background: var(--paper); border: 1px solid var(--field); }
.button { padding: .4rem 1.1rem; font-weight: 650; color: var(--on); background: var(--act); border: 2px solid transparent; text-wrap: balance; cursor: pointer; }
.button.quiet { color: var(--ink); background: var(--card); border-color: var(--ink); }
.button:hover { filter: brightness(1.08); }
.button.quiet:hover { background: var(--paper); filter: none; }
.button:disabled { opacity: .55; cursor: default; }
:focus { outline: 2px solid var(--focus); outline-offset: 2px; }
#saved { scroll-margin-top: 6.5rem; }
.alert.bad { background: var(--refused); color: var(--ink); border-color: var(--bad); }
.alert.bad strong, .caution.bad b { color: var(--bad); }
.alert.good { background: var(--card); color: var(--good); border-color: var(--good); }
/* Focused so that a screen reader reads it; it is not a control. */
#alert:focus, .outcome h2:focus { outline: 0; }
a { color: inherit; }

/* A draft: the sums and a line for each order, the decision, and a card for each order. */
.draft-approval > h1:not(:has(+ .soft)), .draft-approval > h1 + .soft { margin-bottom: .6rem; }
.draft-approval > .card, .decision + .facts { margin-top: .75rem; }
.draft-approval details > .facts { margin-top: .75rem; }
.facts > .soft { padding-inline: 1rem; font-size: .94rem; }
h4 { margin: .8rem 0 0; font-size: .94rem; font-weight: 650; }
.place, .terms { color: var(--soft); font-weight: 400; }
.notes { list-style: disc; padding: .5rem .75rem .5rem 1.9rem; border-radius: .5rem; background: var(--care); color: var(--care-ink); border: 1px solid var(--care-line); }
.notes:has(> :only-child) { list-style: none; padding-left: .9rem; }
thead th { vertical-align: bottom; }
.results thead th:nth-child(2) { min-width: 9rem; }
summary { cursor: pointer; width: max-content; max-width: 100%; padding: .15rem 0; font-weight: 600; }

/* An order of a draft: its line, and what the line opens to. */
.orders-card > .soft { font-size: .94rem; }
.orders-card > .notes { margin: .6rem 0 0; }
.orders { list-style: none; margin: .5rem 0 0; padding: 0; }
h2.unseen ~ .orders, .orders > .group:first-child { margin-top: -.3rem; }
.unseen ~ .orders > .order:first-child { border-top: 0; }
.order { border-top: 1px solid var(--line); scroll-margin-top: 3.75rem; }
.order > details > summary { display: grid; grid-template-columns: 1.6rem minmax(0, 1fr) auto .8rem; gap: 0 .5rem; align-items: baseline; width: auto; padding: .6rem 0; font-weight: 400; list-style: none; }
.order > details > summary::-webkit-details-marker { display: none; }
.order > details > summary::after { content: ""; grid-area: 1 / 4; align-self: start; justify-self: end; margin-top: .45rem; width: .5rem; height: .5rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(45deg) translate(-2px, -2px); }
.order > [open] > summary::after { transform: rotate(225deg); }
.order > details > summary > * { grid-column: 2 / 4; }
.group .aside { font-size: .85rem; font-weight: 400; }
.group { margin-top: .5rem; padding: .3rem 0; color: var(--soft); font-size: .94rem; font-weight: 650; }
.order > details > summary > .place { grid-column: 1; white-space: nowrap; }
.order > details > summary > h3 { grid-area: 1 / 2; }
.order h3 { margin: 0; font-size: 1rem; line-height: 1.4; font-weight: 650; }
.order > details > summary > .worth { grid-area: 1 / 3; text-align: right; white-space: nowrap; }
.order .beside { color: var(--soft); }
.order > :not([open]) .beside { margin-left: .75rem; }
.order .terms b, .order .beside b { font-weight: 400; }
.folded { margin-top: .7rem; padding-top: .4rem; border-top: 1px solid var(--line); font-size: .94rem; }
.folded > summary { width: auto; font-weight: 400; color: var(--soft); }
.folded > summary b { color: var(--ink); font-weight: 650; }
.folded > .lesser { margin-top: .4rem; padding: 0; border: 0; font-size: inherit; }
.order .flag { font-size: .85rem; white-space: nowrap; }
.order .caution { width: fit-content; margin-top: .3rem; padding: .2rem .6rem; border-radius: .35rem; background: var(--care); color: var(--care-ink); font-size: .9rem; }
.order .caution.bad { background: var(--refused); color: var(--ink); }
/* What is open has the terms and the value among its facts. */
.order > [open]:has(.type) > summary .terms, .order > [open]:has(.figures) > summary > .worth { display: none; }
.order-facts { padding: .2rem 0 1rem; }
.order-facts > * + * { margin-top: .7rem; }
.order-facts > .sum { display: block; margin: 0; color: var(--soft); }
.order-facts > .alert + .sum { margin-top: .6rem; }
.order-facts > details + .sum { margin-top: .9rem; }
.order-facts .repetition { margin: 0 0 .7rem; }
.remark { font-size: .94rem; }
.orders + .soft, .orders-card > .caption { margin-top: .6rem; padding-top: .6rem; border-top: 1px solid var(--line); }

/* The login of a client: where the access goes is larger than the name that the client gave itself. */
.login { max-width: 40rem; }
.login h1 { font-size: clamp(1.4rem, 1.1rem + 1.6vw, 1.9rem); }
.login .card { margin-bottom: 1rem; }
.place-name { font-size: 1.5rem; font-weight: 700; line-height: 1.3; }
.box { display: grid; grid-template-columns: 1.5rem 1fr; gap: .6rem; align-items: start; padding: .3rem 0; font-weight: 400; }
.box input { width: 1.25rem; min-height: 0; height: 1.25rem; margin: .1rem 0 0; accent-color: var(--act); }
.login-form > label[for] { display: block; margin: .8rem 0 .3rem; font-weight: 600; }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: .8rem; }

@media (max-width: 28rem) {
  h1 { font-size: 1.4rem; }
  .card { padding-block: .7rem; }
  .order > details > summary { grid-template-columns: 1.6rem minmax(0, 1fr) auto .7rem; column-gap: .35rem; padding-block: .45rem; }
  .order h3 { font-size: .94rem; }
  .approve .button { max-width: 11.5rem; padding-inline: .4rem; font-size: .94rem; line-height: 1.3; }
  /* The name has the width, and the value is beside the terms. */
  .order > details > summary > h3 { grid-area: 1 / 2 / auto / 4; }
  .order > details > summary > .lines { display: contents; }
  .order .lines > .terms { grid-area: 2 / 2; font-size: .94rem; }
  .order > details > summary > .worth { grid-area: 2 / 3; }
  .order .lines > .beside { grid-area: 3 / 2 / auto / 5; margin: 0; font-size: .88rem; }
  .order > [open]:has(.type) .lines > .beside { grid-row: 2; }
  .notes { padding-block: .35rem; font-size: .94rem; }
  .order-facts { padding-left: 1.95rem; }
  /* Figures are lines, so that a person sees all of them beside the decision. */
  .figures:nth-child(n), .lesser { display: grid; grid-template-columns: 1fr; gap: .1rem; }
  .figures:nth-child(n) { gap: .35rem; }
  .figures > div:nth-child(n) { display: grid; grid-template-columns: 1fr auto; gap: 0 .75rem; align-items: baseline; }
  .figures dd:nth-child(n):not(.note) { font-size: 1.1rem; line-height: 1.3; text-align: right; }
  .figures .note { grid-column: 1 / -1; margin-top: -.15rem; }
  .lesser > div:nth-child(n) { grid-template-columns: auto 1fr; text-align: right; }
  .lesser dt { text-align: left; }
}
/* A result is below its order, where a column for it would break the words of both. */
@media (max-width: 40rem) {
  .results thead { position: absolute; clip-path: inset(50%); }
  .results tr { display: grid; grid-template-columns: auto 1fr auto; border-top: 1px solid var(--line); }
  .results tr > * { border: 0; }
  .results tbody th { grid-column: 2 / -1; padding-bottom: 0; }
  .results tbody th + td { grid-column: 2; }
  .results tbody th ~ td { padding-top: 0; }
}
@media (min-width: 40rem) {
  .figures { grid-template-columns: repeat(3, 1fr); }
  .figures:has(> :nth-child(4)) { grid-template-columns: 1fr 1fr; }
  .order-facts { padding-left: 2.1rem; }
  /* In the columns of the figures above. */
  .lesser { display: grid; grid-template-columns: repeat(3, 1fr); gap: .6rem 1.25rem; }
  /* No row of one. */
  .lesser:has(> :nth-child(3n + 4):last-child) { grid-template-columns: 1.5fr repeat(3, 1fr); }
  .lesser > div:nth-child(n) { display: block; }
  .lesser dt { font-size: .88rem; }
}
/* The decision stays visible, except where it would cover the ticket (a small or much enlarged page). */
@media (max-width: 61.99rem) and (min-height: 34rem) {
  .decision { position: sticky; bottom: 0; margin-inline: -1rem; padding-block: .5rem; row-gap: .45rem; border-radius: .75rem .75rem 0 0; border-width: 1px 0 0; box-shadow: 0 -4px 16px rgb(0 0 0 / 12%); }
  body { display: flex; flex-direction: column; min-height: 100vh; }
  .open, main:has(> .open) { flex: 1; display: flex; flex-direction: column; width: 100%; padding-bottom: 0; }
  .open > .facts:last-of-type { flex: 1; }
}
@media (max-width: 61.99rem) {
  .approve label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media (min-width: 40rem) and (max-width: 61.99rem) {
  .decision { grid-template-columns: auto auto minmax(0, 1fr); }
  .decision > progress { grid-row: 1; }
  .decision > .countdown, .decision > .reject { grid-row: 2; }
  .decision > .approve { grid-column: 3; grid-row: 2; }
}
@media (min-width: 62rem) {
  ::placeholder { opacity: 0; }
  .open { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; column-gap: 1rem; align-items: start; }
  .open > * { grid-column: 1 / -1; }
  .open > .facts { grid-column: 1; }
  .open > .decision { grid-column: 2; }
  .decision { position: sticky; top: 4rem; margin: 0; grid-template-columns: 1fr; padding: 1.1rem; }
  .decision h2 { position: static; width: auto; height: auto; clip-path: none; margin: 0; }
  .decision > .countdown, .decision > .reject { grid-column: 1; grid-row: auto; }
  .countdown { font-size: 1.35rem; }
  .reject .button, .approve .button { width: 100%; }
  .approve { grid-template-columns: 1fr; border-top: 1px solid var(--line); padding-top: .75rem; margin-top: .25rem; }
  .approve .button { margin-top: .3rem; padding-inline: .5rem; }
}
@media (max-width: 24rem) {
  main { padding-inline: .75rem; }
  .decision { margin-inline: -.75rem; }
  .card { padding-inline: .8rem; }
}
@media (prefers-reduced-motion: reduce) {
  * { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
}
`;

export const style = base + draftStyle;

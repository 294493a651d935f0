/** The style of the page of a draft, in the colours of the approval page. */
export const draftStyle = `
.draft { display: grid; gap: .75rem; }
.draft > *, .draft .alert, .draft .outcome { min-width: 0; margin-bottom: 0; }
.draft .sum { margin: -.5rem 0 0; }
.draft .outcome h2 { margin-bottom: .35rem; }
.draft h3 { margin: 0; font-size: 1.15rem; line-height: 1.35; }
.draft h3 .place { color: var(--soft); font-size: inherit; font-weight: 400; }
.draft .side { display: inline-block; padding: 0 .35em; border-radius: .25em; color: var(--on); background: var(--sell); font-size: .82em; font-weight: 650; letter-spacing: .04em; }
.draft .side.buy { background: var(--buy); }
.draft .times { color: var(--soft); font-weight: 400; }
.draft .legs { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
.draft .draft-leg { display: grid; gap: .5rem; scroll-margin-top: .75rem; }
.draft .draft-leg:target { border-color: var(--focus); box-shadow: 0 0 0 1px var(--focus); }
.draft .verdict { font-size: .94rem; }
.draft .verdict.good { color: var(--good); }
.draft .verdict.bad { padding: .4rem .7rem; border-radius: .4rem; background: var(--care); color: var(--care-ink); }
.draft .notes { margin: 0; padding: .4rem .7rem .4rem 1.7rem; border: 0; border-radius: .4rem; background: var(--care); color: var(--care-ink); font-size: .94rem; }
.draft .result.good { color: var(--good); }
.draft .result.bad { color: var(--bad); }
.draft .result.care { color: var(--care-ink); background: var(--care); padding: 0 .3rem; border-radius: .25rem; }
.draft tbody th { font-weight: 400; }
.draft .overview a { text-decoration: none; }
.draft .overview a .ticker { text-decoration: underline; text-decoration-color: var(--field); text-underline-offset: .15em; }
.draft .overview a:hover .ticker { text-decoration-color: currentcolor; }
.draft .number { padding-right: .75rem; white-space: nowrap; }
.draft td.number:first-child { width: 1%; }
.draft .why { display: block; color: var(--soft); }
.draft .sent { margin-top: .6rem; }
.draft .sent th .why { font-size: .9em; }
.draft summary { cursor: pointer; width: max-content; max-width: 100%; padding: .15rem 0; font-weight: 600; }
.draft details[open] > summary { margin-bottom: .35rem; }
.draft .edit { display: grid; grid-template-columns: minmax(0, 12rem) auto; gap: .2rem .6rem; justify-content: start; margin-bottom: .7rem; }
.draft .edit label { grid-column: 1 / -1; }
.draft .stop { display: grid; grid-template-columns: auto 1fr; gap: .75rem; align-items: center; margin: .6rem 0; }
.draft .stop-button { background: var(--live); min-width: 7rem; }
.draft .discard p { margin-bottom: .6rem; }
@media (min-width: 44rem) {
  .draft .draft-leg dl { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 2rem; }
  .draft .draft-leg dl div { padding: .32rem 0; }
  .draft .draft-leg dl div:nth-child(-n + 2) { border-top: 0; padding-top: 0; }
}
@media (max-width: 24rem) {
  .draft .stop { grid-template-columns: 1fr; }
}
`;

/** The style of the views and the report. It is sent unchanged, because the page's policy contains its hash. */
import { dark, divergingScale, light, type Palette } from './palette.ts';

const variables = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');

const toneRules = divergingScale
  .map((tone) => `.${tone}{fill:var(--${tone});background:var(--${tone})}.${tone} text{fill:var(--${tone}-on)}`)
  .join('\n');

export const style = `
:root{color-scheme:light;${variables(light)}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${variables(dark)}}}
:root[data-theme=dark]{color-scheme:dark;${variables(dark)}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;padding:12px;background:var(--paper);color:var(--ink);font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main{max-width:800px;margin:0 auto}
p,li{text-wrap:pretty}
h1,h2,h3,p,dl,dd,ul,ol,figure{margin:0}
h2{font-size:17px;line-height:1.3}
h3{font-size:14px;margin:14px 0 6px}
bdi,td,dd{unicode-bidi:isolate}
.soft,caption,dt{color:var(--soft)}
.head{display:flex;flex-wrap:wrap;gap:2px 10px;align-items:baseline}
.head .soft{margin-left:auto;font-size:12.5px}
.badge{padding:0 7px;border-radius:9px;font-size:12.5px;font-weight:600;background:var(--mark);color:var(--mark-on)}
.badge.care,.cares{background:var(--care);color:var(--care-on)}
.badge.calm{background:none;color:var(--soft);box-shadow:inset 0 0 0 1px var(--soft)}
.badge.good{background:var(--good);color:var(--good-on)}
.badge.bad{background:var(--bad);color:var(--bad-on)}
.cares{margin-top:8px;padding:6px 10px;border-radius:6px;border-left:5px solid var(--care-line);list-style:none}
.cares li+li{margin-top:4px}
.cares+.say,.head+.say,.say+p{margin-top:8px}
.notes ul{margin-top:4px;padding-left:18px;color:var(--soft)}
.notes li+li{margin-top:4px}
.hero{--big:clamp(25px,7.4vw,32px);display:flex;flex-wrap:wrap;gap:6px 32px;margin:10px 0}
.hero .main dd{font-size:var(--big);line-height:1.15;font-weight:650;letter-spacing:-.02em}
.hero .beside{display:flex;flex-wrap:wrap;gap:4px 26px}
.hero .beside dd{font-size:18px;line-height:1.3;font-weight:600}
@media (min-width:480px){.hero{align-items:flex-end}.hero .beside dd{padding-bottom:2px}}
.hero dt{font-size:12.5px}
.hero small{font-size:.62em;font-weight:600;letter-spacing:0}
.more{margin-bottom:10px}
.more .figures{padding:2px 0 4px}
.figures{display:flex;flex-wrap:wrap;gap:4px 22px;margin:8px 0}
.figures dt{font-size:12.5px}
.figures dd{font-size:16px;font-weight:600}
@media screen and (max-width:479.98px){
.head .soft{flex-basis:100%}
.head h2:has(+.badge){flex:1 1 0}
.hero .beside{align-items:end;display:grid;grid-template-columns:minmax(45%,auto) auto;justify-content:start;gap:4px 24px;flex:1 1 100%}
.hero .beside small{white-space:nowrap}
.figures>div{display:flex;flex:1 1 100%;gap:12px;justify-content:space-between;align-items:baseline}
.figures dt{flex:none}
.figures:not(.boxes) dd{font-size:14px;text-align:right}
}
.gain{color:var(--gain)}.loss{color:var(--loss)}
.drawing svg{display:block;width:100%;height:auto;font-size:13px}
.drawing.w480,.drawing.w680{display:none}
@media (min-width:400px){.drawing.w340{display:none}.drawing.w480{display:block}}
@media (min-width:600px){.drawing.w480{display:none}.drawing.w680{display:block}}
svg text{fill:var(--ink)}
svg .quiet{fill:var(--soft);font-size:12px}
svg .strong{font-weight:600}
svg .halo{stroke:var(--paper);stroke-width:4px;paint-order:stroke}
svg .grid{stroke:var(--line);stroke-width:1}
svg .zero{stroke:var(--soft);stroke-width:1}
svg .before{fill:var(--paper);stroke:var(--soft);stroke-width:2}
svg .target{stroke:var(--ink);stroke-width:2}
svg .case{stroke:var(--paper);stroke-width:3}
svg .split{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:4 2}
svg .hit{fill:transparent}
svg .paper{fill:var(--paper)}
svg .line{fill:none;stroke:var(--ink);stroke-width:2;stroke-linejoin:round}
svg .gap{stroke-width:3}svg .gap.gain{stroke:var(--gain)}svg .gap.loss{stroke:var(--loss)}
svg .paid{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:5 4}
svg .dot{fill:var(--ink)}
svg .gain{fill:var(--gain)}svg rect.loss{fill:var(--loss)}
svg .outlined{fill:color-mix(in srgb,var(--gain) 22%,var(--paper));stroke:var(--gain);stroke-width:1}
[data-mark]{outline:0;cursor:default}
[data-mark]:hover .hit{stroke:var(--soft);stroke-width:1.5}
[data-mark]:focus .hit{stroke:var(--ink);stroke-width:3}
.legend{display:flex;flex-wrap:wrap;gap:3px 12px;margin-top:6px;padding:0;list-style:none;font-size:12.5px;color:var(--soft)}
:is(.legend,.below)~.drawing{margin-top:8px}
.legend li{display:flex;align-items:center;gap:5px}
.legend i{width:14px;height:14px;border-radius:3px;border:1px solid var(--line)}
.legend svg{flex:none;width:14px;height:14px}
.readout{min-height:21px;margin-top:4px;font-size:13px}
.readout:empty::before{content:"Point at a part of the drawing for its figures";color:var(--soft)}
@media (hover:none){.readout:empty{display:none}}
html:not(.scripted) .readout{display:none}
details{margin-top:10px}
.below{margin-top:4px;font-size:12.5px;color:var(--soft)}
summary{cursor:pointer;color:var(--soft);width:fit-content}
:focus-visible:not([data-mark]){outline:2px solid var(--ink);outline-offset:2px;border-radius:3px}
table{width:100%;border-collapse:collapse;margin-top:6px}
caption{text-align:left;padding-bottom:4px;font-size:12.5px}
th,td{text-align:left;padding:4px 12px 4px 0;border-top:1px solid var(--line);vertical-align:top;font-weight:400}
thead th{border-top:0;font-size:12.5px;vertical-align:bottom;color:var(--soft)}
tbody th{font-weight:600}
.number{text-align:right}
td.sum{font-weight:600}
.day{white-space:nowrap}
.number.gain,.number.loss{white-space:nowrap}
@media (min-width:1000px){.number{white-space:nowrap}}
@media (min-width:720px){td.number,thead .number{padding-left:10px}th,td:not(.long){overflow-wrap:normal}tbody th{min-width:98px}td.long{width:30%}}
th:last-child,td:last-child{padding-right:0}
th small,td small{display:block;font-weight:400;color:var(--soft)}
:is(.gain,.loss) small{color:inherit}
th .name~:is(small,details){color:var(--ink);font-weight:600}th .name~details>summary{color:inherit}
th button{font:inherit;color:inherit;background:none;border:0;padding:0;text-align:inherit;cursor:pointer}
th button::after{content:"\\a0↕"}
table:not(:has(tbody tr+tr)) th button::after{content:""}
th[aria-sort] button{color:var(--ink)}
th[aria-sort=ascending] button::after{content:"\\a0↑"}
th[aria-sort=descending] button::after{content:"\\a0↓"}
tfoot{display:table-row-group}
tfoot th,tfoot td{border-top:1px solid var(--soft);font-weight:600}
tr details{margin:0;font-size:12.5px;font-weight:400}
html:not(.scripted) th button::after{content:""}
@media screen and (max-width:719.98px){
table,caption,tbody,tfoot{display:block}
thead{display:block;overflow-x:auto}
thead tr{display:flex;gap:6px;align-items:baseline;padding-bottom:4px;font-size:12px}
thead th{flex:none;padding:2px 0;font-size:inherit}
.scripted thead tr::before{content:"Sort:";flex:none;color:var(--soft)}
.scripted thead button{padding:3px 6px;border:1px solid var(--line);border-radius:6px}th:not([aria-sort]) button::after{content:""}
table:not(:has(tbody tr+tr)) thead,html:not(.scripted) thead{display:none}
:is(tbody,tfoot) tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(104px,1fr));gap:3px 10px;padding:6px 0;border-top:1px solid var(--line)}
tfoot tr{border-color:var(--soft)}
:is(tbody,tfoot) :is(th,td,.number){border:0;padding:0;text-align:left}
tr>th,td.long{grid-column:1/-1}
:is(tbody,tfoot) tr:has(>.sum){display:flex;flex-wrap:wrap;gap:1px 8px;font-size:12.5px}
th .name{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
tr:has(>.sum)>th{flex:0 0 calc(68% - 8px);order:-2;font-size:14px}
:is(tbody,tfoot) tr>.sum{flex:0 0 32%;order:-1;text-align:right;font-size:14px;font-weight:600}
tr:has(>.sum)>.long{flex-basis:100%}
tr:has(>.sum)>th details>:not(summary){width:calc((100% + 8px)/.68)}
tr:has(>.sum)>td:not(.sum,.long) small{display:inline;margin-left:5px;color:inherit}
tr>.sum::before,tr:has(>.sum)>td:not(.number,.long)::before{display:none}
tr:has(>.sum)>.number:not(.sum)::before{display:inline;content:attr(data-label) "\\a0"}
tr:has(>:nth-child(5):last-child){grid-template-columns:1fr 1fr}
td:empty{display:none}
td::before{content:attr(data-label);display:block;color:var(--soft);font-size:12.5px}
}
.say{padding:8px 10px;border-radius:6px;background:var(--paper);border:1px solid var(--line);border-left:5px solid var(--mark)}
.say+.say,.say+.soft,.soft+.say,table+.soft,.cares+.soft{margin-top:8px}
ul.soft{margin-top:8px;padding-left:18px}
.gaps{margin:4px 0 0;padding-left:18px}
.say.over{border-left-color:var(--loss)}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
`;

/** Rules that only some pages need. */
export const extraStyles = {
  /** The diverging scale. */
  treemap: `
.w340 :is(.up-1,.down-1,.even):not(g,i){stroke:var(--soft);stroke-width:.6}
@media (max-width:399.98px){.w340:has(>.legend){display:flex;flex-direction:column}.w340>.legend{order:-1;margin-bottom:8px}}
${toneRules}
.unknown{fill:var(--paper);background:var(--paper)}
svg .unknown .box{stroke:var(--soft);stroke-dasharray:3 3}
.held{fill:var(--mark);background:var(--mark)}
.cash{fill:var(--card);background:var(--card);stroke:var(--soft)}.legend .cash{border-color:var(--soft)}
svg.account{display:block;width:100%;height:12px;margin-top:10px;overflow:visible}
.rest{fill:var(--line)}svg .rest .box{fill:var(--card);stroke:var(--line)}
.legend+.below{margin-top:10px}.key{margin-top:4px;padding:0;list-style:none;font-size:12.5px;columns:300px;column-gap:24px}
.key li{display:grid;grid-template-columns:11px minmax(0,1fr) auto 52px;gap:0 8px;padding:2px 0;break-inside:avoid}
.key i{margin-top:3px;width:11px;height:11px;border-radius:3px;border:1px solid var(--line)}
.key span:not(.number){white-space:pre-line;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}.key .number{white-space:nowrap}
[data-mark]:focus .box{stroke:var(--paper);stroke-width:8}
`,
  /** Of orders: their sides in neutral tones, and a state in its colour. */
  orders: `
.side{padding:1px 6px;border-radius:4px;font-size:.86em;font-weight:650;background:var(--line);color:var(--ink)}
.side.buy{background:var(--ink);color:var(--paper)}
.state{margin-top:10px;padding:10px 14px;border-radius:8px;border-left:5px solid var(--soft);background:var(--card)}
.command span{white-space:nowrap}.command{user-select:all}
.badge.live{background:#b3261e;color:#fff}
.state .title{font-size:17px;font-weight:650;line-height:1.35}
.state .title{display:flex;flex-wrap:wrap;gap:0 10px;align-items:baseline}
.state .title small{font-size:14px;font-weight:400}
.state .title .left{margin-left:auto}
.state p+p{margin-top:3px}
.state+p{margin-top:10px}
.state.good{border-color:var(--good);background:color-mix(in srgb,var(--good) 13%,var(--paper))}
.state.bad{border-color:var(--bad);background:var(--refused)}
.state.care{border-color:var(--care-line);background:var(--care);color:var(--care-on)}
.state.care .soft,.state.care summary{color:inherit}
.hero{margin:14px 0 10px;align-items:start}
.hero small{display:block;font-weight:400;color:var(--soft)}
.badge.busy{background:none;color:var(--ink);box-shadow:inset 0 0 0 1px var(--ink)}
@media (max-width:479.98px){.hero{--big:20px;display:grid;grid-template-columns:1fr 1fr;gap:8px 16px}.hero dl.main,.hero dl.beside{display:contents}.hero .beside dd{font-size:20px;line-height:1.15}}
@media (min-width:480px){.hero{--big:21px}.hero .beside dd{font-size:21px;line-height:1.15;padding:0}}
.orders{list-style:none;margin:6px 0 0;padding:0}
.orders>li{display:grid;grid-template-columns:22px minmax(0,1fr) auto;gap:0 10px;padding:8px 0;border-top:1px solid var(--line)}
.orders.plain>li{grid-template-columns:minmax(0,1fr) auto}
.orders small{font-size:12.5px;color:var(--soft)}
.orders ul{margin:0;padding-left:18px}
.worth{text-align:right}.worth small,.worth span{display:block}.plain .worth small{display:inline}
.command{display:inline-block}.orders summary{font-size:13px}
.orders>.care{border:0;border-left:5px solid var(--care-line);border-radius:8px;padding:10px 14px;background:var(--care);color:var(--care-on)}
.orders .care+.care{margin-top:8px}
.orders .care :is(small,.soft,summary){color:inherit}.orders .care .badge{padding:0 6px 0 0}
.refusal{margin:3px 0;padding:3px 8px;border-radius:5px;width:fit-content;background:var(--refused)}
.orders .badge,.orders li>.soft,.orders .soft span{white-space:nowrap}
.orders p+p{margin-top:2px}
@media (max-width:599.98px){
.orders>li>div{display:contents}
.orders>li>div>*{grid-column:2/-1}.plain>li>div>*{grid-column:1/-1}
.orders>li>div>:first-child{grid-column-end:-2}
.orders .worth{grid-area:1/-2}
.command{font-size:min(14px,3.14vw)}
}
.orders+.soft{margin-top:8px}
.care .act{border:1px solid var(--mark-on)}.badge.care{box-shadow:inset 0 0 0 1px var(--care-line)}
.act{display:inline-block;margin-top:8px;padding:8px 16px;border-radius:8px;background:var(--mark);color:var(--mark-on);font-weight:600;text-decoration:none}
@media (hover:none){.act{display:none}.way{font-weight:600}}
`,
  ticket: `
.ticket{margin-top:10px;border:1px solid var(--line);border-radius:10px;padding:12px 14px;background:var(--card)}
.ticket.preview{border-style:dashed}
.said+.way{margin-top:8px}
.said{margin:8px 0 0;padding:0;list-style:none;font-weight:600}.good .said{font-weight:400}
.prices{display:flex;flex-wrap:wrap;gap:2px 18px;margin-top:6px}
.ticket h3{font-size:20px;margin:0;line-height:1.3}
.clock{font-size:17px;font-weight:650}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`,
  file: `
.file{margin:10px 0;padding:12px 14px;border:1px solid var(--line);border-radius:10px;background:var(--card);display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center}
.file>*{flex-basis:100%;margin:0}
.file>p{flex:none;display:flex;gap:8px}
.file .name{flex:1 1 150px;font-weight:600}
.file code{font-size:12px;color:var(--soft)}
.file>:is(#copied,.cares){flex-basis:100%}
.file #copied:empty{display:none}
@media (max-width:480px){.file>:is(p:not(.name),code){order:1}}
.act{padding:8px 16px;border-radius:8px;border:1px solid var(--soft);background:none;color:var(--ink);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
a.act{background:var(--mark);border-color:var(--mark);color:var(--mark-on)}
`,
  /** Of the pages that are kept. */
  report: `
.report h1{font-size:24px;line-height:1.25}
.report section{margin-top:28px;padding-top:16px;border-top:1px solid var(--line)}
.report section:first-child{margin:0;padding:0;border:0}
@media (min-width:480px){.boxes{display:grid;grid-template-columns:repeat(3,1fr)}}
@media screen{.boxes{row-gap:12px}}
`,
  /** Of the pages that are printed. */
  paper: `
.account{margin-top:4px}
@media (min-width:480px){header p{display:inline-block;margin:0 12px 0 0}}
.report section~section .hero dd{--big:18px;font-size:18px;line-height:1.3;padding:0}
@page{margin:14mm;@bottom-left{font:10px sans-serif;color:#555}@bottom-right{content:counter(page) " of " counter(pages);font:10px sans-serif;color:#555}}
@media print{
body{padding:0;font-size:12px}
.number{white-space:nowrap}
.hero{margin:6px 0}
.hero{--big:24px}
thead{display:table-header-group;break-inside:avoid}
.readout,summary,.as-table,th button::after{display:none}
th button{display:contents}
details{margin-top:4px}.more{margin-bottom:6px}
details::details-content{content-visibility:visible;display:block}
th details::details-content,th details>:not(summary){display:none}
th details,th summary{display:inline}
th summary{margin-left:6px}
p,tr,.hero,.figures,.legend,.drawing,.ticket{break-inside:avoid}
.legend,.below,tfoot{break-before:avoid}
tbody:has(+tfoot),tbody:has(+tfoot) tr:nth-last-child(-n+3){break-after:avoid}
h2,h3,.head,.head+.soft,.hero,.more,.figures,caption,thead{break-after:avoid}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.report section{margin-top:14px;padding:0;border:0}
.report table{font-size:10.5px}
.report caption{font-size:12px;font-weight:600;color:var(--ink)}.report thead th{font-size:10px}
.report .figures{margin:3px 0;gap:2px 14px}.report .figures dt{font-size:10px}.report .figures dd{font-size:12px}
.report th small,.report td small{display:inline;margin-left:6px;font-size:10px}
.report th,.report td{padding:1px 8px 1px 0}
.report :is(th,td):last-child{padding-right:0}
.hero,.report .figures:not(.boxes){display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:2px 12px}
.hero>dl,.report .hero .beside{display:contents}
.hero>dl>div,#allocation .figures>div{grid-column:span 2}
.hero dd,.report .figures dt{white-space:nowrap}
#allocation .drawing :is(.below,.key){display:none}
#gains :is(th,td).number{width:12%}#gains .more{display:none}
#allocation table{font-size:11.3px}
table:not(:has(tr:nth-child(8))){break-inside:avoid}
}
`,
  /** A tax pack has wide tables: it is printed across the page. */
  tax: `
main{max-width:1080px}
header+.cares,.cares+.say,.say+section,.cares+section{margin-top:12px}
.boxes dd{font-size:20px;line-height:1.3;font-weight:650}
.boxes small{font-size:12.5px;font-weight:400;color:var(--soft)}
@media (min-width:720px){.boxes:has(>:nth-child(4):last-child){grid-template-columns:repeat(4,auto)}.boxes dt{white-space:nowrap}}
@media (min-width:1000px),print{.boxes{display:grid;grid-template-columns:repeat(6,auto)}}
.match{display:grid;grid-template-columns:68px 1fr auto;gap:0 10px}
thead .match{font-weight:400}.match>:not(:nth-child(2)){text-align:right;white-space:nowrap}
.number+:not(.number){padding-left:10px}
table:not(:has(th:nth-child(5))){max-width:820px}
table:not(:has(th:nth-child(4))){max-width:420px}
.rows h2{margin-bottom:10px}.rows tbody th{font-weight:400}
.rows details{margin:0;border-top:1px solid var(--line)}
.rows summary{width:auto;padding:9px 0}
.rows summary>*{display:inline;margin:0 8px 0 0}
.rows h3{color:var(--ink)}.rows summary .soft{white-space:nowrap}
.rows summary>:last-child{float:right;margin:0;font-size:12.5px}
@media (max-width:479.98px){.rows summary>:last-child{display:block;float:none}}
.rows .narrow caption,.rows details>table:last-child>caption{position:absolute;clip-path:inset(50%)}
@media screen and (max-width:719.98px){thead th:has(.match){display:none}.number+.long{padding-left:0}}
@media (min-width:1000px){.match{white-space:nowrap}}
@media screen{.report .cares+section{margin-top:20px}table{font-size:12.5px}.rows details{overflow-x:auto}}
@media screen and (max-width:999.98px){th,td{padding-right:7px}}
@media screen and (min-width:720px) and (max-width:999.98px){td:not(.number){padding-right:12px}
.match{grid-template-columns:1fr auto;min-width:140px}
.match>:first-child{text-align:left}.match>:nth-child(2){grid-area:2/1/auto/-1}
}
@media (min-width:720px){.number{white-space:nowrap}}
@media screen and (min-width:900px){th small,td small{display:inline;margin-left:7px;white-space:nowrap}tbody th{min-width:150px}tfoot small{display:block;margin:0}}
@media print{
.report section{margin-top:9px}
.gaps{margin:0}.gaps li{margin:0;line-height:1.3}
.report h1{font-size:20px}
.report h2{font-size:14px}
.report p,.report details,.report ul{margin-top:2px;font-size:11.5px}
.report table{font-size:11.5px;line-height:1.22}
.report th,.report td{padding:1px 8px 1px 0}
.report :is(th,td):last-child{padding-right:0}
.report :is(caption,thead th,small,dt,.badge),.report .head .soft{font-size:10px}.report caption{font-weight:400;color:var(--soft)}
.report tbody th{min-width:0;white-space:nowrap}
.report tr>*>small{display:block;margin:0;white-space:nowrap}.report tfoot small{display:inline;margin-left:6px}
.report .split small{display:none}
.report .split tbody th{white-space:normal}:is(.split td,.match){white-space:nowrap}
.report .rows{break-before:page;margin:0}
.rows>h2{display:none}
.narrow table{margin:0}.narrow{margin-top:6px}
.cares,.say,header+.cares,.cares+.say{padding-block:3px;margin-top:6px}
.rows details{border:0}.rows details+details{margin-top:16px}
.report .rows summary{display:block;padding:0;break-after:avoid}.report .rows .soft{font-size:10px}.rows summary>:last-child{padding-top:4px}
.rows details>p{break-after:avoid}
tr:has(>.long)>th{width:1%}td.long{width:auto}.match{gap:0 14px}
.split{columns:2;column-gap:32px}
.split table,.split+table{max-width:none}
.report .boxes dd{font-size:17px}
}
@page{size:landscape;margin:11mm 12mm}
`,
} as const;

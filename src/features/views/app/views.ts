/** What the page of each view starts: one function a view, so that a page has the code of its own view alone. */
import { toFields } from '../model/read-answer.ts';
import { readDividends } from '../model/read-dividends.ts';
import { readDocument } from '../model/read-document.ts';
import { readDraft } from '../model/read-draft.ts';
import { readGains } from '../model/read-gains.ts';
import { readPortfolio } from '../model/read-portfolio.ts';
import { readReturns } from '../model/read-returns.ts';
import { readTicket, type TicketModel } from '../model/read-ticket.ts';
import { drawAllocation } from '../render/draw-allocation.ts';
import { drawDividends } from '../render/draw-dividends.ts';
import { drawDocument } from '../render/draw-document.ts';
import { drawDraft } from '../render/draw-draft.ts';
import { drawGains } from '../render/draw-gains.ts';
import { drawProfitLoss } from '../render/draw-profit-loss.ts';
import { drawReturns } from '../render/draw-returns.ts';
import { countdown, drawTicket, secondsLeft } from '../render/draw-ticket.ts';
import { browser } from './browser.ts';
import { show } from './mount-view.ts';

export const showAllocation = () => show({ name: 'allocation', read: readPortfolio, draw: drawAllocation });
export const showProfitLoss = () => show({ name: 'profit-loss', read: readPortfolio, draw: drawProfitLoss });
export const showDividends = () => show({ name: 'dividends', read: readDividends, draw: drawDividends });
export const showGains = () => show({ name: 'gains', read: readGains, draw: drawGains });
export const showReturns = () => show({ name: 'returns', read: readReturns, draw: drawReturns });
export const showDocument = () => {
  show({ name: 'document', read: readDocument, draw: drawDocument });
  openLinks();
  const tell = (text: string) => {
    const line = browser.document.getElementById('copied');
    if (line) line.textContent = text;
  };
  browser.addEventListener('click', ({ target, isTrusted }) => {
    const path = browser.document.getElementById('path');
    if (toFields(target).id !== 'copy' || !isTrusted || !path) return;
    // What is hidden cannot be selected.
    path.hidden = false;
    browser.getSelection()?.selectAllChildren(path);
    tell(browser.document.execCommand('copy') ? 'Copied.' : 'The path is selected: copy it.');
  });
  // A host may open web addresses alone, and the file can be on another computer.
  browser.addEventListener('message', ({ data, source }) => {
    const { id, method, error, result } = toFields(data);
    if (source !== browser.parent || id !== linkId || method !== undefined) return;
    if (error !== undefined || toFields(result).isError === true)
      tell('This app does not open files. Copy the path, and open it on the computer of the server.');
  });
};
export const showDraft = () => {
  show({ name: 'draft', read: readDraft, draw: drawDraft });
  openLinks();
};
/** Only the ticket changes while it is shown: its approval time counts down. */
export const showTicket = () => {
  show({ name: 'ticket', read: readTicket, draw: drawTicket, tick });
  openLinks();
};

const linkId = 'link';

/** The frame of a view may open nothing itself: the host does, and it may ask the person first or decline. */
const openLinks = () =>
  browser.addEventListener('click', (event) => {
    const { href } = toFields(event.target);
    if (typeof href !== 'string') return;
    event.preventDefault();
    if (event.isTrusted)
      browser.parent.postMessage({ jsonrpc: '2.0', id: linkId, method: 'ui/open-link', params: { url: href } }, '*');
  });

/** Screen readers announce only these seconds; an announcement each second would hide everything else. */
const announcedSeconds = [60, 30, 10];

function tick(ticket: TicketModel, now: number): boolean {
  const clock = browser.document.getElementById('clock');
  const left = secondsLeft(ticket, now);
  if (!clock || left === undefined) return false;
  if (left === 0) return true;
  clock.textContent = countdown(left);
  const line = browser.document.getElementById('moments');
  if (line && announcedSeconds.includes(left)) line.textContent = `${left} seconds left`;
  return false;
}

/** Only the ticket changes while it is shown: its approval time counts down. */
import { readTicket, type TicketModel } from '../model/ticket.ts';
import { countdown, drawTicket, secondsLeft } from '../render/ticket.ts';
import { browser } from './browser.ts';
import { show } from './mount-view.ts';

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

show({ name: 'ticket', title: 'Order ticket', read: readTicket, draw: drawTicket, tick });

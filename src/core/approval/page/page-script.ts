/**
 * The script of the page, sent unchanged because its hash is in the policy. It counts down, polls the state of the
 * order, and reloads the page when that changes. The page also works without it. The comment at its end names it in
 * stacks.
 */
export const script = `
(() => {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const ticket = byId('ticket');
  if (!ticket) return;
  const path = location.pathname;
  const { state, message, open, done } = ticket.dataset;
  const isOpen = open === 'yes';

  // The forms do not need this script. But what the page shows may no longer change, and the person must know.
  const reported = new Set();
  const showFault = (error) => {
    const code = String(error?.name);
    const [, name = '', place = ''] = /at (?:([\\w.]+) \\()?page-script\\.js:(\\d+:\\d+)/.exec(error?.stack) || [];
    if (reported.size === 0) {
      const line = document.createElement('p');
      line.className = 'alert';
      line.setAttribute('role', 'alert');
      line.textContent = 'A part of this page failed, so what it shows may be old. Reload it to see the present state.';
      ticket.prepend(line);
    }
    if (reported.has(code + place)) return;
    reported.add(code + place);
    const report = new XMLHttpRequest();
    report.open('POST', path + '/fault');
    report.send(new URLSearchParams({ code, name, place }));
  };
  addEventListener('error', ({ error }) => {
    // Without an error it is a remark of the browser.
    if (error) showFault(error);
  });
  addEventListener('unhandledrejection', ({ reason }) => showFault(reason));

  // A page with fields keeps what was typed, and says that it is old.
  const changed = byId('changed');
  const refresh = () => {
    if (changed) changed.hidden = false;
    else location.replace(path);
  };

  // Focus without scrolling, so that the top of the ticket stays visible.
  const first = byId('alert') || byId('saved') || byId('reject-button') || byId('outcome');
  if (first) first.focus({ preventScroll: true });
  if (byId('alert')) byId('alert').scrollIntoView({ block: 'nearest' });
  // A browser that drew the page before this script arrived has scrolled to the element that it focused.
  else if (first && !location.hash) scrollTo(0, 0);

  let leaving = false;
  let endsAt = performance.now() + Number(ticket.dataset.seconds) * 1000;
  let shown = Number(ticket.dataset.seconds) + 1;
  const say = (count) => (count === 1 ? '1 second' : count + ' seconds');
  const count = () => {
    const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
    if (left === shown) return;
    byId('left').textContent = say(left);
    byId('bar').value = left;
    byId('left').parentElement.classList.toggle('few', left <= 15);
    // Announced at these moments only: counting each second would drown out the rest.
    for (const moment of [60, 30, 10])
      if (left <= moment && shown > moment && left > 0) byId('moments').textContent = say(left) + ' left';
    shown = left;
  };
  if (isOpen) setInterval(count, 250);

  let polls = 0;
  let misses = 0;
  const take = (status) => {
    misses = 0;
    byId('lost').hidden = true;
    const isOver = isOpen && status.secondsLeft <= 0;
    if (status.state !== state || isOver || (!isOpen && status.message !== message)) return refresh();
    // The server's time decides, because this machine may have slept.
    const now = performance.now();
    if (Math.abs(endsAt - now - status.secondsLeft * 1000) > 1500) endsAt = now + status.secondsLeft * 1000;
    return undefined;
  };
  const poll = () => {
    if (leaving) return;
    const request = new XMLHttpRequest();
    request.open('GET', path + '/status');
    request.timeout = 4000;
    request.onloadend = () => {
      if (leaving) return;
      polls += 1;
      let status;
      try {
        status = request.status === 200 ? JSON.parse(request.responseText) : undefined;
      } catch {
        // The response is no JSON; the page asks again.
      }
      if (status) take(status);
      else if ((misses += 1) > 2) byId('lost').hidden = false;
      setTimeout(poll, misses < 3 && (isOpen || polls < 60) ? 1000 : 5000);
    };
    request.send();
  };
  if (done !== 'yes') setTimeout(poll, 1000);

  const buttons = document.querySelectorAll('button');
  const enable = (isOn) => {
    leaving = !isOn;
    for (const button of buttons) button.disabled = !isOn;
  };
  document.addEventListener('submit', () => {
    // Disable the buttons after the browser has read the form, so that it is not sent twice. No reload may interrupt
    // the request.
    leaving = true;
    setTimeout(() => enable(false));
    setTimeout(() => {
      enable(true);
      poll();
    }, 10000);
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) refresh();
  });
})();
//# sourceURL=page-script.js
`;

/** Shows a view on the page: receives results from the host and draws them. */
import type { ViewName } from '../../../core/mcp/tool.ts';
import type { Markup } from '../../../core/text/html-template.ts';
import type { Fields, ToolResultView } from '../model/read-answer.ts';
import type { FormatOptions } from '../render/format-values.ts';
import { failure, unsupportedResponse, waiting } from '../render/section.ts';
import { browser } from './browser.ts';
import { connectHost } from './mcp-apps-bridge.ts';

interface View<Model> {
  readonly name: ViewName;
  /** Returns undefined for a result of another kind. */
  readonly read: (answer: Fields) => Model | undefined;
  readonly draw: (model: Model, look: FormatOptions & { readonly now: number }) => Markup;
  /** Called once a second while the model is shown; returns whether it must be redrawn. */
  readonly tick?: (model: Model, now: number) => boolean;
}

export function show<Model>(view: View<Model>): void {
  const title = browser.document.title;
  const main = browser.document.getElementById('view');
  const root = browser.document.documentElement;
  if (!main) return;
  // The page arrives with the sentence that it could not be drawn, and shows it again after a fault.
  const notDrawn = main.innerHTML;
  let hasFailed = false;
  let look: FormatOptions = {};
  let said: ToolResultView | undefined;
  let cancelled: string | undefined;
  let model: Model | undefined;

  const content = (): Markup => {
    if (said?.kind === 'error') return failure(title, said);
    if (model !== undefined) return view.draw(model, { ...look, now: Date.now(), isLive: true });
    if (said) return unsupportedResponse(title);
    return waiting(cancelled ?? 'Waiting for the result…');
  };
  // The template that made the markup has escaped every text in it.
  const draw = () => {
    main.innerHTML = hasFailed ? notDrawn : content().markup;
  };

  const host = connectHost(browser, view.name, {
    onContext: ({ theme, ...rest }) => {
      if (theme) root.dataset.theme = theme;
      const isSame = rest.locale === look.locale && rest.timeZone === look.timeZone;
      look = rest;
      // Redrawing removes the focus, so it needs a reason.
      if (!isSame) draw();
    },
    onResult: (news) => {
      hasFailed = false;
      said = news;
      model = news.kind === 'answer' ? view.read(news.body) : undefined;
      draw();
    },
    onCancelled: (reason) => {
      cancelled = `The call was cancelled${reason === undefined ? '.' : `: ${reason}`}`;
      draw();
    },
    onFault: () => {
      hasFailed = true;
      draw();
    },
  });
  draw();
  new browser.ResizeObserver(() => host.tellHeight(Math.ceil(root.getBoundingClientRect().height))).observe(root);
  if (view.tick)
    setInterval(() => {
      if (model !== undefined && view.tick?.(model, Date.now())) draw();
    }, 1000);
}

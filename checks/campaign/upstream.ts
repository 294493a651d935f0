/**
 * The other side of the wire, made of bare sockets. It keeps its own record: every connection, every order request that
 * began to arrive, and every order that it accepted. Faults are played on the order requests, found by the quantity
 * that each trial has for itself.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { exchanges, instruments, type OrderJson, orderFrom, positions, summary } from './account.ts';
import type { OrderRate } from './order-rate.ts';
import type { ReportFiles } from './report-files.ts';
import { answerBytes, readRequests, type WireAnswer, type WireRequest } from './wire.ts';

/** One order request as it was observed. */
export interface OrderPost {
  readonly number: number;
  /** When its first bytes arrived (ms). */
  readonly at: number;
  readonly endpoint: string;
  /** The account of its key, where the service has several. */
  readonly account?: string | undefined;
  /** Without the sign; undefined when the body never arrived completely. */
  quantity: string | undefined;
  fields: Readonly<Record<string, unknown>>;
  /** Undefined when it never arrived completely. */
  body: string | undefined;
  /** Of a complete response; undefined when there was none. */
  status: number | undefined;
  /** Got a complete refusal for the rate: the one case in which another request may follow. */
  refusedForRate: boolean;
  booked: OrderJson | undefined;
}

export interface Scene {
  readonly socket: Socket;
  readonly post: OrderPost;
  /** The order as it was accepted, or as it would have been. */
  readonly order: OrderJson;
  write(bytes: Buffer): Promise<void>;
  answer(answer: WireAnswer): Promise<void>;
  /** For orders that are booked in another moment than usual. */
  book(): void;
}

export interface Fault {
  readonly name: string;
  /** Whether the order is accepted before `play`. */
  readonly books: boolean;
  /** Accepted, and in no list of the service while the trial lasts. */
  readonly isUnlisted?: true;
  /** Called when the head has arrived and the body is not read yet; true ends the request here. */
  readonly onHead?: (socket: Socket) => boolean;
  readonly play: (scene: Scene) => void | Promise<void>;
}

export interface Upstream {
  readonly origin: string;
  readonly posts: readonly OrderPost[];
  readonly connections: number;
  /** The accounts of the service by their header `authorization`; empty where it has one. */
  readonly owners: Map<string, string>;
  /** Pairs of order requests of one account that were in flight at the same time, reported once. */
  takeOverlaps(): string[];
  deletes: string[];
  plan(quantity: string, ...faults: Fault[]): void;
  /** Called when an order request has been read completely, before anything is done with it. */
  onRead: ((post: OrderPost) => Promise<void>) | undefined;
  /** Called for the next connection that arrives after `reads` of the account had their response. */
  onNextConnection(reads: number, then: (socket: Socket) => void): void;
  /** Delays the responses to reads of the account by this time. */
  readDelayMs: number;
  /** The responses to DELETE requests, in order; then 200. */
  deletePlans: ((socket: Socket, write: (answer: WireAnswer) => void) => void)[];
  /** Of all accounts, or of this one. */
  booked(quantity: string, account?: string): readonly OrderJson[];
  /** Answers the reads of single orders; undefined: the orders that are listed, with plenty of requests. */
  orderRate: OrderRate | undefined;
  /** The finished reports, and their files; undefined: there are none. */
  reports: ReportFiles | undefined;
  /** Cash that the account shows from now on; undefined shows plenty. */
  cash: (() => number) | undefined;
  /** Fills the order of this quantity, so that it is no longer pending. */
  fill(quantity: string): void;
  /** No longer listed; its record stays. */
  retire(): void;
  /** Resolves when every fault has been played to its end. */
  idle(): Promise<void>;
  /** Accepts no connection until `listen`. */
  pause(): void;
  listen(): Promise<void>;
  close(): void;
}

const nothingYet = { status: undefined, refusedForRate: false, booked: undefined };

const prefix = '/api/v0/equity';
const factReads = new Set(['/account/summary', '/positions', '/orders']);
const normal: Fault = {
  name: 'none',
  books: true,
  play: (scene) => scene.answer({ status: 200, body: JSON.stringify(scene.order) }),
};

export async function startUpstream(): Promise<Upstream> {
  const posts: OrderPost[] = [];
  const active = new Set<OrderPost>();
  const overlaps: string[] = [];
  const plans = new Map<string, Fault[]>();
  const sockets = new Set<Socket>();
  const playing = new Set<Promise<void>>();
  let listed: { readonly account: string | undefined; readonly order: OrderJson }[] = [];
  const owners = new Map<string, string>();
  const ownerOf = ({ headers }: WireRequest) => owners.get(headers.authorization ?? '');
  let nextId = 9_000_000_001 + Math.floor(Math.random() * 1_000_000) * 1_000;
  let port = 0;
  let server: Server;
  let awaited: { reads: number; then: (socket: Socket) => void } | undefined;

  const listen = async () => {
    server = createServer((socket) => onConnection(socket));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };

  const onConnection = (socket: Socket) => {
    (upstream as { connections: number }).connections++;
    sockets.add(socket);
    let post: OrderPost | undefined;
    let isEnded = false;
    const over = () => {
      if (post) active.delete(post);
    };
    socket.setNoDelay(true);
    socket.on('error', () => undefined).on('end', over);
    socket.on('close', () => {
      over();
      sockets.delete(socket);
    });
    if (awaited && awaited.reads <= 0) {
      const { then } = awaited;
      awaited = undefined;
      then(socket);
    }
    readRequests(socket, {
      head: (request) => {
        if (request.method !== 'POST') return;
        const account = ownerOf(request);
        post = { number: posts.length, at: Date.now(), account, ...readPost(request), ...nothingYet };
        posts.push(post);
        for (const other of active)
          if (other.account === account) overlaps.push(`order ${other.quantity} and order ${post.quantity}`);
        active.add(post);
        isEnded = plans.get(post.quantity ?? '')?.[0]?.onHead?.(socket) ?? false;
        if (isEnded) plans.get(post.quantity ?? '')?.shift();
      },
      whole: (request) => {
        if (request.method === 'DELETE') return void answerDelete(socket, request);
        if (request.method !== 'POST') return void answerRead(socket, request);
        if (!post || isEnded) return;
        Object.assign(post, readPost(request));
        const played = playWhole(socket, post, over).finally(() => playing.delete(played));
        playing.add(played);
      },
    });
  };

  const playWhole = async (socket: Socket, post: OrderPost, over: () => void) => {
    await upstream.onRead?.(post);
    // The client is gone: what was read stays read, and is accepted or not as planned.
    await play(plans.get(post.quantity ?? '')?.shift() ?? normal, socket, post, over);
  };

  const play = async (fault: Fault, socket: Socket, post: OrderPost, over: () => void) => {
    const order = orderFrom(nextId++, post.endpoint, post.fields);
    const book = () => {
      post.booked = order;
      if (!fault.isUnlisted) listed.push({ account: post.account, order });
    };
    if (fault.books) book();
    const write = (bytes: Buffer) => new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    await fault.play({
      socket,
      post,
      order,
      book,
      write,
      answer: async (answer) => {
        // From here on the client may have the result, and begin another.
        over();
        post.status = answer.status;
        post.refusedForRate = answer.status === 429 || String(answer.body ?? '').includes('TooManyRequests');
        await write(answerBytes({ ...answer, headers: { connection: 'close', ...answer.headers } }));
        socket.end();
      },
    });
  };

  const answerDelete = (socket: Socket, { path }: WireRequest) => {
    const id = path.slice(path.lastIndexOf('/') + 1);
    upstream.deletes.push(id);
    const plan = upstream.deletePlans.shift();
    const write = (answer: WireAnswer) => void socket.write(answerBytes(answer));
    if (plan) return plan(socket, write);
    listed = listed.filter(({ order }) => String(order.id) !== id);
    write({ status: 200 });
  };

  const answerRead = async (socket: Socket, request: WireRequest) => {
    const { path } = request;
    const owner = ownerOf(request);
    const own = listed.filter(({ account }) => account === owner).map(({ order }) => order);
    const [route = ''] = path.replace(prefix, '').split('?');
    const report = upstream.reports?.respond(route, upstream.origin);
    if (report) return socket.write(answerBytes(report));
    const json = (value: unknown) => socket.write(answerBytes({ status: 200, body: JSON.stringify(value) }));
    if (factReads.has(route)) {
      if (upstream.readDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, upstream.readDelayMs));
      if (awaited) awaited.reads--;
    }
    if (route === '/account/summary')
      return json({ ...showCash(upstream.cash?.()), id: summary.id + [...owners.values()].indexOf(owner ?? '') });
    if (route === '/positions') return json(positions);
    if (route === '/orders') return json(own);
    if (route === '/history/orders') return json({ items: [], nextPagePath: null });
    if (route === '/metadata/instruments') return json(instruments);
    if (route === '/metadata/exchanges') return json(exchanges);
    if (upstream.orderRate && route.startsWith('/orders/'))
      return socket.write(answerBytes(upstream.orderRate.answer(route.slice('/orders/'.length))));
    const found = own.find(({ id }) => route === `/orders/${id}`);
    if (found) return json(found);
    return socket.write(answerBytes({ status: 404, body: '{"code":"NotFound"}' }));
  };

  const upstream: Upstream = {
    get origin() {
      return `http://127.0.0.1:${port}`;
    },
    posts,
    connections: 0,
    owners,
    takeOverlaps: () => overlaps.splice(0),
    deletes: [],
    plan: (quantity, ...faults) => plans.set(quantity, faults),
    onRead: undefined,
    onNextConnection: (reads, then) => {
      awaited = { reads, then };
    },
    readDelayMs: 0,
    deletePlans: [],
    booked: (quantity, account) =>
      posts.flatMap((post) =>
        post.quantity === quantity && post.booked && (account === undefined || post.account === account)
          ? [post.booked]
          : [],
      ),
    orderRate: undefined,
    reports: undefined,
    cash: undefined,
    fill: (quantity) => {
      const filled = new Set(upstream.booked(quantity).map(({ id }) => id));
      listed = listed.filter(({ order: { id } }) => !filled.has(id));
    },
    retire: () => {
      listed = [];
    },
    idle: async () => void (await Promise.allSettled([...playing])),
    // Existing connections stay: reads continue over them.
    pause: () => void server.close(),
    listen,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  await listen();
  return upstream;
}

const showCash = (available = summary.cash.availableToTrade) => ({
  ...summary,
  cash: { ...summary.cash, availableToTrade: available },
});

function readPost({ path, body }: WireRequest): Pick<OrderPost, 'endpoint' | 'quantity' | 'fields' | 'body'> {
  const endpoint = path.slice(path.lastIndexOf('/') + 1);
  if (body === undefined) return { endpoint, quantity: undefined, fields: {}, body };
  // From the text: the digits as they were sent, not as a double shows them.
  const quantity = /"quantity":-?([\d.]+)/.exec(body)?.[1];
  return { endpoint, quantity, fields: JSON.parse(body) as Record<string, unknown>, body };
}

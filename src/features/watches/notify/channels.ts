/** The channels of the settings: each cleans what it sends, sends one message at a time, and lets few wait. */

import pLimit from 'p-limit';
import { createRedactor } from '../../../core/broker/response/redact.ts';
import type { Config } from '../../../core/settings/config.ts';
import type { RuntimeEnvironment } from '../../../core/settings/runtime-environment.ts';
import { parseUrl } from '../../../core/text/parse-url.ts';
import { type Channel, cleanMessage, DeliveryError } from './channel.ts';
import { createMailChannel, type MailReach } from './send-mail.ts';
import { createProgramChannel } from './send-program.ts';
import { createUrlChannel, type UrlReach } from './send-url.ts';

/** What the channels need beside the configuration. */
export interface ChannelSetting {
  /** The variables of this process; a program receives them without those of this program and without secrets. */
  readonly env: RuntimeEnvironment['env'];
  /** Replaces secrets that the configuration does not have, such as a key that a command printed. */
  readonly hide?: ((text: string) => string) | undefined;
  /** How the receivers are reached; tests replace the parts. */
  readonly reach?: UrlReach & MailReach;
}

/** Messages of a channel that can wait for the one that is being sent. */
export const maxWaiting = 20;

/** Creates the channels that are set: the program, the address and the mail, in this order. Connects to none of them. */
export function createChannels(
  config: Pick<Config, 'notify' | 'credentials' | 'stateUrl'>,
  { env, hide: hideOthers = (text) => text, reach = {} }: ChannelSetting,
): readonly Channel[] {
  const { command, url, mail } = config.notify;
  const { text: hideKnown } = createRedactor(secretsOf(config));
  const hide = (text: string) => hideOthers(hideKnown(text));
  const channels = [
    command && createProgramChannel({ command, env, hide, timeoutMs: reach.timeoutMs }),
    url && createUrlChannel(url, reach),
    mail && createMailChannel(mail, reach),
  ];
  return channels.flatMap((channel) => (channel ? [bounded(channel, hide)] : []));
}

function secretsOf({ notify, credentials, stateUrl }: Pick<Config, 'notify' | 'credentials' | 'stateUrl'>) {
  const { url, mail } = notify;
  const texts = [credentials?.key, credentials?.secret, mail?.login?.password, url?.address, stateUrl];
  const plain = texts.filter((text) => typeof text === 'string');
  return plain.flatMap((text) => [text, parseUrl(text)?.password]);
}

/** A flood of messages would start as many programs and connections, and fill the memory. */
function bounded({ name, send }: Channel, hide: (text: string) => string): Channel {
  const turn = pLimit(1);
  return {
    name,
    send: async (message, signal) => {
      if (turn.pendingCount >= maxWaiting) throw new DeliveryError(name, 'busy');
      await turn(() => send(cleanMessage(message, hide), signal));
    },
  };
}

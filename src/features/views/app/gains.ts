import { readGains } from '../model/gains.ts';
import { drawGains } from '../render/gains.ts';
import { show } from './mount-view.ts';

show({ name: 'gains', title: 'Realised gains and losses', read: readGains, draw: drawGains });

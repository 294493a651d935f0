import { readDividends } from '../model/dividends.ts';
import { drawDividends } from '../render/dividends.ts';
import { show } from './mount-view.ts';

show({ name: 'dividends', title: 'Dividends', read: readDividends, draw: drawDividends });

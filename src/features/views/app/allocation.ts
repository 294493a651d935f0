import { readPortfolio } from '../model/portfolio.ts';
import { drawAllocation } from '../render/allocation.ts';
import { show } from './mount-view.ts';

show({ name: 'allocation', title: 'Allocation', read: readPortfolio, draw: drawAllocation });

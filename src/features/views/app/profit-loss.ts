import { readPortfolio } from '../model/portfolio.ts';
import { drawProfitLoss } from '../render/profit-loss.ts';
import { show } from './mount-view.ts';

show({ name: 'profit-loss', title: 'Profit and loss', read: readPortfolio, draw: drawProfitLoss });

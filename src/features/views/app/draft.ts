import { readDraft } from '../model/draft.ts';
import { drawDraft } from '../render/draft.ts';
import { show } from './mount-view.ts';

show({ name: 'draft', title: 'Draft of orders', read: readDraft, draw: drawDraft });

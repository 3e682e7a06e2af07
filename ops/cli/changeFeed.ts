// Commands about the change feed.
import { declareRestored } from '../../src/changeFeed/restored.ts'
import type { Command } from './command.ts'

export const changeFeedCommands: readonly Command[] = [
  {
    name: 'feed restored',
    what: 'Refuses every cursor of the change feed that was issued so far. Run it after a restore from a backup.',
    more: 'A restored database would accept cursors that know changes it has lost. Each reader gets 410 once, lists everything and continues.',
    async run({ app }) {
      await declareRestored(app)
      return { json: { restored: true }, text: 'All existing cursors are refused from now on.' }
    },
  },
]

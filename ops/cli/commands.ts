// Every command of the operator's tools.
import { changeFeedCommands } from './changeFeed.ts'
import type { Command } from './command.ts'
import { deliveryCommands } from './deliveries.ts'
import { encryptionCommands } from './encryption.ts'
import { organizationCommands } from './organizations.ts'
import { queueCommands } from './queues.ts'

export const commands: readonly Command[] = [
  ...organizationCommands,
  ...queueCommands,
  ...deliveryCommands,
  ...encryptionCommands,
  ...changeFeedCommands,
]

// Every command of the operator's tools.
import { changeFeedCommands } from './changeFeed.ts'
import type { Command } from './command.ts'
import { deliveryCommands } from './deliveries.ts'
import { encryptionCommands } from './encryption.ts'
import { feedCommands } from './feeds.ts'
import { identifierCommands } from './identifiers.ts'
import { organizationCommands } from './organizations.ts'
import { pageCommands } from './pages.ts'
import { queueCommands } from './queues.ts'
import { webhookCommands } from './webhooks.ts'

export const commands: readonly Command[] = [
  ...organizationCommands,
  ...pageCommands,
  ...queueCommands,
  ...webhookCommands,
  ...deliveryCommands,
  ...feedCommands,
  ...encryptionCommands,
  ...changeFeedCommands,
  ...identifierCommands,
]

import { Screen } from '../../parts/screen.tsx'
import { texts } from '../../texts.ts'
import { AgentKeys } from './agentKeys.tsx'
import { OrganizationKey } from './organizationKey.tsx'
import { OrganizationKeys } from './organizationKeys.tsx'

export const Keys = () => (
  <Screen heading={texts.keysScreen}>
    <OrganizationKey />
    <OrganizationKeys />
    <AgentKeys />
  </Screen>
)

// The account of a connection, as its provider takes it.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Account } from './providers/provider.ts'
import { credentialsPlace, serverPlace } from './sealed.ts'

type SealedAccount = { id: Uuid; credentialsSealed: Buffer; serverSealed: Buffer }

export const accountOf = ({ sealer }: App, { id, credentialsSealed, serverSealed }: SealedAccount): Account => ({
  credentials: sealer.unseal(credentialsPlace(id), credentialsSealed),
  server: sealer.unseal(serverPlace(id), serverSealed),
})

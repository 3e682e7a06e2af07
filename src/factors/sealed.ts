import type { SealedTable } from '../sealing/sealedTable.ts'
import type { Uuid } from '../shapes/ids.ts'

export const totpContext = (accountId: Uuid) => `accounts.totp_sealed:${accountId}` as const
export const pendingContext = (accountId: Uuid) => `accounts.totp_pending_sealed:${accountId}` as const

export const sealedFactors: SealedTable = {
  name: 'accounts',
  key: ['id'],
  columns: { totp_sealed: ({ id }) => totpContext(id!), totp_pending_sealed: ({ id }) => pendingContext(id!) },
}

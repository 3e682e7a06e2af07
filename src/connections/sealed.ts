// Which columns are encrypted, and what each value is bound to.
import type { SealedTable } from '../sealing/sealedTable.ts'
import type { Uuid } from '../shapes/ids.ts'

export const keyContext = (orgId: Uuid) => `connection_keys.key:${orgId}` as const
export const labelContext = (id: Uuid) => `calendar_connections.label:${id}` as const
export const credentialsContext = (id: Uuid) => `calendar_connections.credentials:${id}` as const
export const serverContext = (id: Uuid) => `calendar_connections.server:${id}` as const
export const remoteContext = (id: Uuid) => `external_calendars.remote:${id}` as const
export const nameContext = (id: Uuid) => `external_calendars.name:${id}` as const
export const stateContext = (id: Uuid) => `connection_states.secrets:${id}` as const
export const channelContext = (id: Uuid) => `connection_channels.resource:${id}` as const
export const cursorContext = (id: Uuid) => `external_calendars.cursor:${id}` as const

export const sealedConnectionKeys: SealedTable = {
  name: 'connection_keys',
  key: ['org_id'],
  columns: { key_sealed: (row) => keyContext(row.org_id!) },
}

export const sealedConnections: SealedTable = {
  name: 'calendar_connections',
  key: ['org_id', 'id'],
  columns: {
    label_sealed: ({ id }) => labelContext(id!),
    credentials_sealed: ({ id }) => credentialsContext(id!),
    server_sealed: ({ id }) => serverContext(id!),
  },
}

/** As they were sealed for their connection. */
export const sealedEndedConnections: SealedTable = {
  name: 'departing_connections',
  key: ['org_id', 'id'],
  columns: {
    credentials_sealed: ({ id }) => credentialsContext(id!),
    server_sealed: ({ id }) => serverContext(id!),
  },
}

export const sealedExternalCalendars: SealedTable = {
  name: 'external_calendars',
  key: ['org_id', 'id'],
  columns: {
    remote_sealed: ({ id }) => remoteContext(id!),
    name_sealed: ({ id }) => nameContext(id!),
    cursor_sealed: ({ id }) => cursorContext(id!),
  },
}

export const sealedConnectionStates: SealedTable = {
  name: 'connection_states',
  key: ['org_id', 'id'],
  columns: { secrets_sealed: ({ id }) => stateContext(id!) },
}

export const sealedChannels: SealedTable = {
  name: 'connection_channels',
  key: ['org_id', 'id'],
  columns: { resource_sealed: ({ id }) => channelContext(id!) },
}

/** The values are taken from the connection unchanged. */
export const sealedRevocations: SealedTable = {
  name: 'connection_revocations',
  key: ['org_id', 'id'],
  columns: { credentials_sealed: ({ id }) => credentialsContext(id!) },
}

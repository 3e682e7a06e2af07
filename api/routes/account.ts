import { eraseAccount } from '../../src/erasure/erase.ts'
import { openExport } from '../../src/export/export.ts'
import { exportRecord } from '../../src/export/schema.ts'
import { endedOwnSession } from '../gate/session.ts'
import { prose } from '../http/prose.ts'
import { Answer, RawAnswer, route } from '../http/route.ts'

const tag = 'Account data'
const access = 'session'

export const accountDataRoutes = [
  route({
    method: 'get',
    path: '/v1/auth/export',
    tag,
    operationId: 'exportAccount',
    summary: 'Export all data of the organization',
    description: prose(
      'One JSON file with the secrets of webhooks in plain text, and without keys.',
      'An organization may export 10 times an hour; failed exports count.',
    ),
    access,
    role: 'admin',
    reauthentication: 'base',
    success: {
      status: 200,
      schema: exportRecord,
      description: 'The file.',
      headers: ['Content-Disposition', 'Cache-Control'],
    },
    errors: ['rate_limited'],
    run: async ({ app, actor }) => {
      const { filename, body } = await openExport(app, actor)
      const headers = {
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="${filename}"`,
        'Cache-Control': 'no-store',
      }
      return new RawAnswer(200, headers, body)
    },
  }),
  route({
    method: 'delete',
    path: '/v1/auth/account',
    tag,
    operationId: 'deleteAccount',
    summary: 'Delete the organization and everything in it',
    description: prose(
      'Irreversible. The acceptances of the terms of service stay on record, without the organization.',
      'While it has other members, it is not deleted (`has_members`).',
    ),
    access,
    role: 'owner',
    reauthentication: 'base',
    success: { status: 204 },
    errors: ['has_members'],
    run: async ({ app, actor }) => {
      await eraseAccount(app, actor)
      return new Answer(204, undefined, endedOwnSession(app, actor))
    },
  }),
]

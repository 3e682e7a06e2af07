import { z } from 'zod'
import { organizationDetail } from '../../src/export/organizationDetail.ts'
import { usageRecord } from '../../src/export/usageSchema.ts'
import { resetFactorBody } from '../../src/factors/schema.ts'
import { resetFactor } from '../../src/factors/turnOff.ts'
import { activateOrganization, listOrganizations, updateOrganization } from '../../src/organizations/organizations.ts'
import {
  createOrganizationBody,
  organizationDetail as organizationDetailRecord,
  organizationListQuery,
  organizationRecord,
  updateOrganizationBody,
} from '../../src/organizations/schema.ts'
import { publishTerms } from '../../src/organizations/terms.ts'
import { publishTermsBody, termsManifest } from '../../src/organizations/termsSchema.ts'
import { listOf } from '../../src/shapes/lists.ts'
import { openOrganization } from '../../src/signup/open.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const tag = 'Administration'
const access = 'admin'

export const adminRoutes = [
  route({
    method: 'post',
    path: '/v1/admin/orgs',
    tag,
    operationId: 'createOrganization',
    summary: 'Create an organization and its key',
    description: prose(
      'The key is shown only in this answer.',
      '`limits` apply only to the plan `custom`: a limit that is null or left out is unlimited.',
      'Several organizations may share an address.',
    ),
    access,
    body: createOrganizationBody,
    success: { status: 201, schema: z.object({ org: organizationRecord, api_key: z.string() }) },
    errors: ['validation_error'],
    run: ({ app, request, body }) => openOrganization(app, request, body),
  }),
  route({
    method: 'get',
    path: '/v1/admin/orgs',
    tag,
    operationId: 'listOrganizations',
    summary: 'List organizations',
    description: prose(
      'Newest first; `email` finds one address, regardless of case. `query` searches names and addresses.',
      'The tiers of agent self-signup appear as `free-agent` and `free-agent-unverified`.',
    ),
    access,
    query: organizationListQuery,
    success: { status: 200, schema: listOf(organizationRecord) },
    errors: ['validation_error'],
    run: ({ app, query }) => listOrganizations(app, query),
  }),
  route({
    method: 'get',
    path: '/v1/admin/orgs/:id',
    tag,
    operationId: 'getOrganization',
    summary: 'Read an organization with its limits and usage',
    description:
      '`limits` and `rate_limit_per_second` are those that hold now, by its plan or by agreement; null is unlimited.',
    access,
    params: idPath('org'),
    success: { status: 200, schema: organizationDetailRecord(usageRecord) },
    errors: ['not_found'],
    run: ({ app, params }) => organizationDetail(app, params.id),
  }),
  route({
    method: 'patch',
    path: '/v1/admin/orgs/:id',
    tag,
    operationId: 'updateOrganization',
    summary: 'Change the plan of an organization',
    description: prose(
      'Takes effect on every process with the next request.',
      "`limits` are replaced as a whole; a null `rate_limit_per_second` restores the plan's.",
      '`is_waitlisted` sends no mail; activating the organization does.',
    ),
    access,
    params: idPath('org'),
    body: updateOrganizationBody,
    success: { status: 200, schema: organizationRecord },
    errors: ['validation_error', 'not_found'],
    run: ({ app, request, params, body }) => updateOrganization(app, request, params.id, body),
  }),
  route({
    method: 'post',
    path: '/v1/admin/orgs/:id/activate',
    tag,
    operationId: 'activateOrganization',
    summary: 'Take an organization off the waitlist',
    description: prose(
      'Its owner gets a mail. An organization that is not on the waitlist is returned unchanged, without a mail.',
      'Takes no body.',
    ),
    access,
    params: idPath('org'),
    success: { status: 200, schema: organizationRecord },
    errors: ['validation_error', 'not_found'],
    run: ({ app, request, params }) => activateOrganization(app, request, params.id),
  }),
  route({
    method: 'post',
    path: '/v1/admin/accounts/reset-factor',
    tag,
    operationId: 'resetFactor',
    summary: 'Turn off the second factor of an account',
    description: prose(
      'For a person who has lost the app and the recovery codes. Their sessions end, and a mail tells.',
      'Be sure who asks: afterwards the password alone signs in.',
    ),
    access,
    body: resetFactorBody,
    success: { status: 204 },
    errors: ['validation_error', 'not_found'],
    run: ({ app, request, body }) => resetFactor(app, request, body.email),
  }),
  route({
    method: 'post',
    path: '/v1/admin/terms',
    tag,
    operationId: 'publishTerms',
    summary: 'Publish terms of service',
    description: prose(
      'Takes effect at once, regardless of `effective_at`.',
      'Organizations must accept material terms again; every authenticated answer says so.',
    ),
    access,
    body: publishTermsBody,
    success: { status: 201, schema: termsManifest },
    errors: ['validation_error'],
    run: ({ app, request, body }) => publishTerms(app, request, body),
  }),
]

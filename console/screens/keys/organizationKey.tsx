import type { OrganizationKeyRecord } from '../../../clients/typescript/src/entry.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Refused } from '../../parts/refused.tsx'
import { showSecret } from '../../parts/secret.tsx'
import { acted } from '../../service/live.ts'
import { useMay } from '../../service/roles.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { ReplaceKey } from './replaceKey.tsx'

/** The organization's own key: the one that is made without a name. */
export function OrganizationKey() {
  const { data, error, refetch } = useRead(['list', 'organization_key'], (options) =>
    service.organizationKey.list(options),
  )
  const mayChange = useMay('admin')
  const keys = data?.keys.filter(({ primary }) => primary) ?? []
  const current = keys.find(({ replaced_by }) => !replaced_by)
  const previous = keys.find(({ replaced_by }) => replaced_by)
  const create = useAct<void, { key: string }>(
    (_, sent) => service.organizationKey.create({}, sent),
    async ({ key }) => {
      await acted('organization_key')
      notify(texts.created(texts.key))
      showSecret(key)
    },
  )
  const endOverlap = useAct<void, unknown>(
    (_, sent) => service.organizationKey.endOverlap(sent),
    async () => {
      await acted('organization_key')
      notify(texts.overlapEnded)
    },
  )
  const failed = create.error !== undefined ? create : endOverlap.error !== undefined ? endOverlap : undefined
  return (
    <section aria-labelledby="own" className="part">
      <h2 id="own">{texts.organizationKey}</h2>
      <p className="hint">{texts.hints.organizationKey}</p>
      {error && <Refused error={error} again={refetch} />}
      {current && <Use of={current} />}
      {previous?.expires_at && (
        <p>
          {texts.previousWorksUntil(previous.key_prefix)} <Moment at={previous.expires_at} />
        </p>
      )}
      {data && !current && <p className="muted">{texts.noOwnKey}</p>}
      {failed && <Refused error={failed.error} again={failed.again} />}
      {data && mayChange && (
        <div className="actions after">
          {current ? (
            <DialogButton label={texts.replaceKey} least="admin" className="quiet">
              {(close) => (
                <ReplaceKey
                  prefix={current.key_prefix}
                  replace={(overlap_seconds, sent) => service.organizationKey.regenerate({ overlap_seconds }, sent)}
                  close={close}
                />
              )}
            </DialogButton>
          ) : (
            <button type="button" onClick={() => create.send()}>
              {texts.createKey}
            </button>
          )}
          {previous && (
            <button type="button" className="quiet" onClick={() => endOverlap.send()}>
              {texts.endOverlap}
            </button>
          )}
        </div>
      )}
    </section>
  )
}

const Use = ({ of: { key_prefix, created_at, last_used_at } }: { of: OrganizationKeyRecord }) => (
  <Facts>
    <Fact name={texts.prefix}>
      <code>{key_prefix}</code>
    </Fact>
    <Fact name={texts.createdAt}>
      <Moment at={created_at} />
    </Fact>
    <Fact name={texts.lastUse}>{last_used_at ? <Moment at={last_used_at} /> : texts.never}</Fact>
  </Facts>
)

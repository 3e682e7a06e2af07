import { Allowed } from '../../parts/allowed.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Switch } from '../../parts/switch.tsx'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

/** The rules of the organization for all of its members. */
export const Policy = () => (
  <Allowed least="owner">
    <RequireFactor />
  </Allowed>
)

function RequireFactor() {
  const { data, error, refetch } = useRead(['one', 'organization', 'own'], (options) =>
    service.organizations.getOwn(options),
  )
  async function turn(require_second_factor: boolean) {
    await service.organizations.updateOwn({ require_second_factor })
    await acted('organization')
    notify(texts.saved(texts.organization))
  }
  return (
    <section className="part">
      <h2>{texts.policy}</h2>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <div className="card stack">
          <Switch label={texts.requireFactor} isOn={data.policy.require_second_factor} least="owner" turn={turn} />
          <p className="hint">{texts.requireFactorHint}</p>
        </div>
      )}
    </section>
  )
}

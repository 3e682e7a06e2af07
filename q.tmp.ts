import { parseRule } from '/work/main/src/recurrence/grammar.ts'
import { compileSeries, lastOccurrence } from '/work/main/src/recurrence/series.ts'
import { occurrencesBetween, countBetween } from '/work/main/src/recurrence/expand.ts'
const start = new Date('2025-01-06T09:00:00Z')
const DAY=86400000
const bench=(f:()=>unknown, ms=200)=>{ for(let i=0;i<3000;i++)f(); let best=1e9; for(let r=0;r<5;r++){const t=performance.now(); let n=0; while(performance.now()-t<ms/5){for(let i=0;i<50;i++)f();n+=50}; best=Math.min(best,(performance.now()-t)/n*1000)} return best.toFixed(3) }
for (const text of ['FREQ=DAILY','FREQ=WEEKLY;BYDAY=MO,WE,FR','FREQ=MONTHLY;BYDAY=1MO','FREQ=MONTHLY;INTERVAL=2','FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=730', 'FREQ=YEARLY']) {
  const from = start.getTime()+5*365*DAY, to=from+90*DAY
  const ex=[from+7*DAY, from+14*DAY]
  const r=parseRule(text); if(!r.ok) throw 0; const rule=r.rule
  const set: any=process.argv[2]?ex:ex; const s=compileSeries(rule,start,set)
  console.log(text, 'parse',bench(()=>parseRule(text)),'set',bench(()=>ex),'compile',bench(()=>compileSeries(rule,start,set)),'expand',bench(()=>occurrencesBetween(s,from,to)))
 }
{ const r=parseRule('FREQ=MONTHLY;COUNT=730;BYDAY=5MO;INTERVAL=4'); if(!r.ok) throw 0; const s0=new Date('2024-04-29T09:00:00Z'); const q=r.rule
 console.log('5MO', bench(()=>compileSeries(q,s0)),'us') }

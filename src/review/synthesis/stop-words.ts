/** Words that say nothing about the problem: grammar, and what every review comment is made of. */
export const stopWords = new Set(
  `a about above after again all also although always am an and another any anything are aren as at be because become
  becomes been before being below between both but by can cannot could couldn did didn do does doesn doing don done
  during each either else even ever every everything few for from further get gets getting give given gives go goes
  had has hasn have haven having here how however i if in instead into is isn it its itself just keep keeps kept know
  let lets like likely ll made make makes making many may maybe me might more most much must my need needed needs
  neither never no nor not nothing now of off often on once one only onto or other otherwise our out over own per
  perhaps please possible possibly potential potentially probably quite rather re really s same seem seems several
  shall should shouldn since so some someone something still such t than that the their them then there therefore
  these they thing things this those though through thus to too toward under unless until up upon us ve very via want
  was wasn way we well were weren what when where whether which while who whole whose why will with within without
  won would wouldn yet you your
  issue issues problem problems bug bugs finding comment review reviewer code change changes changed pr diff line
  lines consider suggest suggested suggestion recommend recommended recommendation fix fixed fixes better best
  currently current new existing actually simply e g eg ie etc note introduced means mean leads lead causes
  cause causing result results resulting happen happens use uses used using p0 p1 p2 p3 imp
  critical major minor nit nitpick high medium low severity warning info`.split(/\s+/),
);

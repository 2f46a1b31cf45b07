"""How people say that a plan is to be carried out, or that nothing is to change yet: English and Chinese, as phrases.

What is not written here approves nothing. So words that hedge, put off, pick a part or name another task are left out
on purpose, and so is the praise that is more often meant ironically. Apostrophes and hyphens are gone from the text by
the time it is read, a comma stands for anything that separates, also for the end, and Chinese is simplified.
"""

ENGLISH_PARTS = {
    "NOW": (
        "now | right now | right away | straight away | immediately | at once | asap | as soon as possible | without"
        " (further | any)? (delay | ado)"
    ),
    "PLEASE": "please | pls | plz | kindly",
    "WHOLE": (
        "whole | entire | full | complete | proposed | suggested | above | current | approved | final | revised |"
        " updated | latest | detailed | attached"
    ),
    "PLAN": "(the | this | that | your | our) WHOLE* (plan | proposal | approach | solution | strategy) | plan",
    "SAID": (
        "proposed | planned | described | outlined | suggested | presented | wrote | made | drafted | created |"
        " prepared | shared | laid out | came up with"
    ),
    "CHANGES": "code? (steps | tasks | items | changes | change | edits | modifications)",
    "STEPS": (
        "((the | these | those | your) WHOLE* | all (of? (the | these | those | your) WHOLE*)?) CHANGES | every step"
        " | each step"
    ),
    "IT": (
        "it all? | this | this thing | all | that | them all? | everything | all of (it | this | them | the above) |"
        " the (whole | entire) thing | (STEPS | everything) ((in | of | from) PLAN)?"
    ),
    "THING": "IT | PLAN",
    "AS_PLANNED": (
        "as (SAID | is | written | discussed | agreed) | as (you | youve | you have) SAID | exactly | (that | which)?"
        " we (discussed | agreed | agreed on) | (according to | as per | per | following | based on) (PLAN | plan) |"
        " accordingly | that? (you | youve | you have) just? SAID | above | in full | fully | completely | from start"
        " to finish | start to finish | end to end | step by step | in one go | for me | in order | sequentially | one"
        " by one | to the letter | (in | to) (the | our | my) (code | codebase | repo | repository | project | files |"
        " workspace)"
    ),
    "WORK": (
        "(the | this | your)? actual? (implementation | execution | coding | development | code? changes | work)"
        " (phase | stage | (of | on) (it | PLAN))?"
    ),
    "DOING": (
        "(implementing | executing) THING? | (applying | performing | carrying out | building | running | coding)"
        " THING | coding | building | working (on (WORK | it | this))? | (making | applying) STEPS | writing the? code"
        " | (changing | editing | modifying) the? (code | files)"
    ),
    "WITH": "with (THING | WORK | DOING)",
    "BEGIN": "start | begin | commence | initiate",
    "DO": (
        "(implement | execute) (THING | WORK)? | (apply | perform | enact) THING | carry out THING | carry (it | this"
        " | that | everything | PLAN) out | run (it | this | everything | PLAN | STEPS) all? | (build | code) (it |"
        " this | that | everything | all of it) (up | out)? | ship (it | this) | do (IT | exactly that | exactly this"
        " | as SAID | what you SAID | exactly what (you SAID | PLAN says) | what PLAN says) | make (it | this) (happen"
        " | so) | make (STEPS | it all happen) | write the code | (follow | go with | act on) PLAN | act on it | put"
        " (it | this | that | PLAN) (into | in) (action | practice | effect | motion) | get (it | this | everything)"
        " (done | going | started | rolling | built | implemented) | get (started | going | cracking | rolling |"
        " coding | building | moving | to work | to it | on with it) ((with | on) (THING | WORK | DOING) | DOING)? |"
        " go ahead WITH? | go for it | run with it | have at it | proceed (WITH | to (WORK | implement THING? |"
        " execute THING?))? | (move | go | push | press) (forward | ahead) WITH? | go right ahead | do WORK | turn (it"
        " | this | PLAN) into (code | reality) | (move on | move | jump | continue on) to the? (implementation |"
        " execution | coding) (phase | stage)? | (continue | carry on | go on | press on) with (WORK | DOING) | BEGIN"
        " (on | with)? (WORK | DOING) | BEGIN (it | the plan | this plan) | BEGIN plan execution | go (on | ahead)?"
        " and (implement | execute | proceed) | go (on | ahead)? and (implement | execute | carry out | do | build)"
        " THING | roll with PLAN | BEGIN to (implement THING? | execute THING? | code | build (it | this) | carry out"
        " THING) | kick (it | this | things) off | kick off WORK | accept and build | (fire away | full speed ahead |"
        " full steam ahead)"
    ),
    "MANNER": "NOW | PLEASE | then | AS_PLANNED",
    "ACT": "DO MANNER*",
    "ACT_MODE": "(switch | change | move | go) to (act | build | execution) mode and (then | please | just)*",
    "ACTS": "(ACT_MODE? ACT | ACT_MODE BEGIN MANNER*) (,? (and then? | then) (then | please | just | now)* ACT)*",
    "START": "ACTS | BEGIN MANNER* (,? and ACTS)?",
    "VERY": "very | really | so | all | absolutely | totally | pretty | quite | perfectly",
    "GOOD": (
        "good | great | fine | perfect | excellent | nice | solid | right | correct | reasonable | ok | okay |"
        " sensible | clear | complete | thorough | awesome | spot on | well thought out | clean | simple | neat |"
        " detailed | straightforward | logical | feasible | doable | comprehensive | concise | elegant | robust |"
        " valid | accurate | satisfactory | acceptable | suitable | appropriate | fantastic | wonderful | amazing |"
        " superb | beautiful | well (written | structured)"
    ),
    "SUBJECT": "it | this | that | they | the steps | steps | everything | all | all of (it | this) | PLAN | STEPS",
    "IS": "is | are | looks | look | sounds | seems | seem | reads | does look | still looks",
    "PRAISE": (
        "(SUBJECT? IS | thats | its | theyre | all IS) VERY* GOOD (and VERY* GOOD)? (to me | here | now | from my"
        " side)? | VERY* (good | great | nice | excellent | solid | perfect | awesome) (plan | work | job | stuff) (on"
        " (it | this | that | PLAN))? | (SUBJECT | all) checks out | plan lgtm | good to go | (that | this | it)"
        " (works | will work | does it) | (sounds | looks) like a (good | great | solid)? plan"
    ),
    "LIKE": (
        "(i really? (like | love | approve | accept | agree with) | (im | i am)? VERY* (happy | fine | ok | okay |"
        " good | satisfied | pleased | comfortable | on board) with) (it | this | that | PLAN | everything)"
    ),
    "REVIEWED": (
        "reviewed and (approved | accepted) | ((i have | ive | i) (read | read through) | (i have | ive | i)?"
        " (reviewed | checked | looked at | looked over | gone through | went through | looked through)) (it |"
        " everything | PLAN | STEPS)"
    ),
    "YES": (
        "yes | yep | yup | yeah | yea | ya | ok | okay | k | alright | all right | approved | agreed | accepted |"
        " confirmed | affirmative | roger | correct | exactly | of course | absolutely | definitely | certainly | sure"
        " thing? | cool | fine | great | good | perfect | excellent | nice | awesome | fantastic | wonderful | amazing"
        " | superb | lgtm | understood | got it | all (good | clear | set) | by all means | sounds VERY* GOOD | looks"
        " VERY* GOOD | (okey | okie | okay) (dokey | dokie)? | alrighty | roger that | yes sir | thumbs up | greenlit"
        " | granted | green light (from me)?"
    ),
    "FROM_ME": "needed | required | necessary | from me | from my side | on my (end | side)",
    "NO_MORE": (
        "(i have | i see | there are | ive got | we have)? no (further | more | other | additional)* (objections |"
        " questions | comments | concerns | feedback | notes | remarks | issues | complaints | problem | problems)"
        " (FROM_ME | here | at all)* | (i have)? no (more | other)? (changes | edits | modifications) FROM_ME | (i"
        " have)? no (further | additional) (changes | edits | modifications) FROM_ME? | (i have)? nothing else? to"
        " (add | change) | nothing else | no need (for | to make) any? (further | more | other)? (changes | edits |"
        " questions | modifications)"
    ),
    "WHO": "i | im | ive | i have | i am | we | weve | you | youve",
    "WHICH": "it | this | that | these | those | everything | all | every | each | the | your | our | my",
    "HOW": "VERY | GOOD | already | exactly | definitely | completely | fully | well | still | just | here | both",
    "DOES": (
        "is | are | looks | seems | sounds | feels | reads | works | (makes | make) (total | perfect | complete | a"
        " lot of | good)? sense | covers | covered | fits | matches | addresses | have | has | been | reviewed |"
        " looked | gone over | gone through | went over | went through | checked | approved | accepted | confirmed |"
        " agreed | convinced | nailed | got | did | made | impressed | confident | am | happy | satisfied | pleased |"
        " comfortable | ready | set | SAID | chose | picked | took"
    ),
    "FEEL": "like | love | trust | appreciate | approve | accept | agree | think | believe | read",
    "WHAT": (
        "a | an | plan | approach | solution | proposal | steps | changes | implementation | idea | work | job |"
        " analysis | structure | order | scope | breakdown | details | level of detail | direction | design | risks |"
        " tests | files | code | sections | of | with | for | by | in | on | from | and FEEL? | me | us | to me | to"
        " us | my side | my end | CHANGES | WHOLE"
    ),
    "SAYS": "WHO | WHICH | HOW | DOES | WHAT",
    "REMARK": (
        "WHO (VERY | already | both)* (DOES | FEEL) SAYS* | (im | i am) VERY* GOOD SAYS* | WHICH SAYS* DOES SAYS* |"
        " (thats | its | everythings | theyre) SAYS* GOOD SAYS* | (love | loved | liked) (it | this | that | PLAN) |"
        " VERY VERY* GOOD (and VERY* GOOD)* | GOOD and VERY* GOOD"
    ),
}
"""Phrases that the ones below are made of. A remark is nearly any row of words that please, with a
verb that states something: none of them asks, puts off or orders."""

ENGLISH_APPROVALS = {
    "order": "(PLEASE | just | simply | now | so | then | definitely)* ACTS",
    "begin": (
        "((PLEASE | just | now | so | then) (PLEASE | just | now)* BEGIN | BEGIN (NOW | PLEASE | AS_PLANNED) | (yes |"
        " yep | ok | okay | alright | approved | lgtm) ,? BEGIN) MANNER*"
    ),
    "let-us": (
        "(YES | PRAISE) ,? lets go NOW? | (so | then | now | and | PLEASE)* (lets | let us) (just | now | all |"
        " please)* START"
    ),
    "permission": (
        "(so | then | now | and)* (you | u | we) (can | may) (now | just | definitely | certainly | safely | please)*"
        " (START | (change | edit | modify) the (code | files) MANNER*) | (PLEASE | so)* feel free to (just | now)*"
        " START | (you are | youre | were | we are) (now | all)* (free | clear | cleared | good | approved |"
        " authorized | authorised | welcome | allowed | permitted) to (START | go MANNER*) | (you have | youve | youve"
        " got | you got | i give you | i give | (im | i am)? giving you | i have given you) (my | the)? full?"
        " (permission | approval | consent | blessing | go ahead | green light | ok | okay) (to START)? | (permission"
        " | approval) granted to START | (execution | implementation) approved | (were | we are | im | i am) ready"
        " (for you)? to ACTS | (its | it is) (ok | okay | fine | clear | safe) to ACTS | i (hereby)? (authorize |"
        " authorise | allow | permit) you to START | (authorized | authorised | cleared | free) to START | approved"
        " (for (implementation | execution) | to START)"
    ),
    "wish": (
        "(i want | i would like | id like | i need) you to (just | now | please)* START | (i want | i would like | id"
        " like) to (go ahead WITH? | proceed WITH?) MANNER* | (its | it is)? time to START | (im | i am) (happy | ok |"
        " okay | fine) for you to START"
    ),
}
"""By name, the phrases that ask for the plan to be carried out."""

ENGLISH_COURTESIES = (
    ", (and | so)* REMARK (, (and | so)* REMARK)* (, | so | and) | YES (then | to me)? | PLEASE | y | aye | thanks"
    " (so much | a lot | again)? | thank you (so much | very much | again)? | thx | ty | cheers | hi | hey | hello |"
    " (thanks | thank you) for (PLAN | the (work | planning) | making PLAN) | (and | so)* PRAISE | (and | so)* LIKE |"
    " i (fully | completely | hereby)? (approve | agree | confirm | accept | authorize it) | (i dont | i do not) (see"
    " | have) any (further | other | more)* (issues | problems | objections | questions | concerns | comments) | i"
    " wouldnt change (anything | a thing) | (thats | that is) (it | all) | (were | we are | im | i am) (all)? good |"
    " (approved | accepted) (as is | as written | without changes) | (im | i am) (in | on board | convinced |"
    " satisfied | happy) | (and | so)? REVIEWED (and (PRAISE | LIKE))? | NO_MORE | (this | that | it | PLAN)? (works |"
    " fine | good | ok | okay | great) (for | by | with) me | (this | that | it | PLAN)? makes (perfect | total |"
    " good)? sense (to me)? | (PLAN | it | its | this | plan) (is | has been)? (approved | accepted | confirmed) |"
    " approved by me | yes to (all | it | that | this | everything | PLAN) | consider (it | this) approved | + 1 |"
    " (thats | that is | this is | its) exactly? what i (want | wanted | need | needed | had in mind) | well done |"
    " (im | i am | were | we are) (all)? ready (to go)? | (and | with)? (stop | enough | no more) planning | PLAN"
    " (covers | has) everything (i (need | wanted))?"
)
"""What may stand around an approval, and approves nothing by itself."""

CHINESE_PARTS = {
    "MASHANG": (
        "(现在 | 马上 | 立刻) 就? | 马上 | 立刻 | 立即 | 即刻 | 赶紧 | 赶快 | 尽快 | 快点? | 直接 | 这就 | 全部 | 都"
        " | 放心 | 大胆 | 放手 | 正式 | 一次性 | 逐步 | 一步步 | 一步一步 | 依次 | 按顺序 | 按步骤 | 严格 | 完全 |"
        " 一起 | 统统 | now"
    ),
    "ZHE": (
        "本 | 原 | 这个 | 这份 | 这套 | 这些 | 这 | 该 | 此 | 那个 | 那份 | 你的 | 你给的 | 你提的 | 你写的 | 你说的"
        " | 你刚才的 | 上面的? | 上面这个 | 上述 | 以上 | 前面的 | 刚才的 | 刚才那个 | 刚刚的 | 当前的? | 整个 | 整份"
        " | 全部的? | 所有的? | 现在的 | 最终的? | 完整的? | 咱们的 | 提出的 | 制定的 | 列出的 | the | this"
    ),
    "JIHUA": "ZHE* (设计 | 实施 | 实现 | 执行 | 技术 | 修改 | 重构 | 改造)? (计划 | 方案 | plan)",
    "DONGXI": (
        "它 | JIHUA (里的 | 中的 | 的)? (所有 | 全部)? (步骤 | 内容 | 改动 | 修改)? | ZHE ZHE* (步骤 | 思路 | 修改点"
        " | 改动 | 修改 | 变更 | 内容 | 任务)"
    ),
    "AN": (
        "(按 | 按照 | 照 | 依 | 照着 | 依照 | 根据 | 依据 | 遵照 | 跟着) (DONGXI | 这个 | 这 | 步骤 | 你说的 |"
        " 上面说的 | 上面的) (里说的 | 说的)?"
    ),
    "ZHEME": "照此 | 据此 | 按此 | 就? (这么 | 这样)",
    "NI": (
        "(请 | 你 | 您 | 麻烦 | 劳烦 | 劳驾 | 烦请 | 拜托 | 辛苦 | 帮我 | 帮忙 | 给我 | 我们 | 咱们 | 咱 | 那 | 那么"
        " | 就 | 接下来 | 来)*"
    ),
    "QUDAO": "(进入 | 切换到 | 转到 | 切到) (执行 | 实施 | act) (模式 | 阶段) (并 | 然后 | ,)?",
    "ZUO": (
        "(执行 | 实施 | 实现 | 落实 | 动手 | 开工 | 动工 | 开干 | 开搞 | 开整 | 施工 | 行动 | execute | implement)"
        " (一下)? DONGXI? 都?"
    ),
    "XIE": "写代码 | 编写代码 | 改代码 | 修改代码 | 动代码 | 敲代码 | 编码 | 编程 | 开发 | coding | 动手写代码",
    "GAN": "XIE | 干 | 做 | 搞 | 干活 | 弄 | 处理",
    "KAISHI": "开始 | 着手 | 动手 | 去 | 进行",
    "SHEI": "你 | 您 | 我们 | 咱们 | 现在 | 已经 | 那 | 就",
    "BA": "吧 | 啦 | 哈 | 哦 | 呗 | 喽 | 咯 | 即可 | 就行 | 就好 | 去吧 | 起来吧? | now | please",
    "HAO": (
        "好 | 好的 | 不错 | 可以 | 没问题 | 没有问题 | 合理 | 清晰 | 清楚 | 详细 | 完整 | 完善 | 可行 | 通过 | ok |"
        " 周全 | 到位 | 靠谱 | 完美 | 没毛病 | 满意 | 棒 | 对"
    ),
    "HEN": "很 | 挺 | 非常 | 都 | 确实 | 整体 | 也 | 蛮 | 相当",
    "KAN": "看起来 | 看着 | 看上去 | 看来 | 写得 | 做得 | 感觉 | 我看",
}
"""Phrases that the ones below are made of: named by the Chinese word that is typical of each."""

CHINESE_APPROVALS = {
    "zh-order": (
        "NI QUDAO? NI MASHANG* (把 DONGXI 都? | ZHE JIHUA | AN | ZHEME)? NI MASHANG* (继续)? KAISHI* MASHANG* ZUO BA?"
        " | NI 把 DONGXI 都? MASHANG* ZUO 了? BA? | NI 把 (代码 | 它 | DONGXI) (改 | 写 | 做 | 实现) (了 | 好) BA? |"
        " NI 进入 (执行 | 实施) 阶段 BA?"
    ),
    "zh-work": (
        "NI MASHANG* (AN | ZHEME)? NI MASHANG* KAISHI KAISHI* MASHANG* (GAN | 改 | 修改) BA? | NI 直接 MASHANG* (XIE"
        " | 干 | 做 | 搞 | 开始) BA? | NI MASHANG* (干 | 干活 | 做 | 搞 | 整 | 落地 | 推进 | XIE) 吧 | 搞起来? |"
        " 整起来"
    ),
    "zh-as-planned": (
        "NI MASHANG* (AN | ZHEME) MASHANG* (来 | 去)? (来 | 做 | 干 | 办 | 搞 | 走 | 进行 | 开始 | 推进 | 操作 | 落地"
        " | 行事 | 办理 | XIE | (进行)? (改 | 修改) | 进行 (开发 | 改动 | ZUO)) BA? | NI 照着? (做 | 办) BA?"
    ),
    "zh-begin": (
        "NI MASHANG* 开始 BA BA* | NI (请 | 那就 | MASHANG) (你 | 您)? MASHANG* 开始 | (好的 | 好 | 行 | 可以 |"
        " 没问题 | 同意 | 批准 | 通过 | 确认 | 赞同 | 嗯 | ok | okay | yes | lgtm) ,? 开始"
    ),
    "zh-permission": (
        "(SHEI | DONGXI)* 可以 MASHANG* (AN | ZHEME)? (KAISHI | 继续)? MASHANG* ZUO 了? | SHEI* 可以 MASHANG* (AN |"
        " ZHEME)? (KAISHI MASHANG* GAN 了? | (开始 | 动手) 了 | (直接 | 现在)* XIE 了) | 我? (同意 | 批准 | 允许 |"
        " 准许 | 授权 | 确认 | 确定 | 准予) (SHEI | MASHANG)* ((开始)? (ZUO | XIE) | 开始) BA?"
    ),
}
"""By name, the phrases that ask for the plan to be carried out, in Chinese. Each goes up to a separator: a plan can be
called what one would call carrying it out, so what follows could make it the subject of the sentence."""

CHINESE_COURTESIES = (
    "(好 | 行 | 成 | 妥 | 是 | 对 | 嗯 | 恩 | 可 | 可以 了? | 确认 | 确定 | 同意 | 批准 | 通过 | 明白 | 确认过) , |"
    " 好的 | 好吧 | 好啊 | 好呀 | 好嘞 | 好滴 | 得嘞 | ok的 | 妥了 | 听你的 , | 准备好了 | (都 | 全部 | 一切)? 准备"
    " (就绪 | 完毕) | 我觉得 HEN* HAO (的 | 了)? , | (确认 | (检查 | 看) (过 | 了)) (没问题 | 没有问题 | 无误 |"
    " 无问题) 了? , | 没 (什么 | 啥) (问题 | 意见) 了? | 我? (都 | 已经)? (看 | 读) (了 | 过 | 完) 了? (一下 | 一遍)?"
    " , | 好哒 | 行吧 | 行的 | 可以的 | 嗯嗯 | 是的 | 对的 | 没错 | 没问题了? | 没有问题了? | 没啥问题 | 没意见 |"
    " 没有意见 | (没 | 没有 | 无) 异议 | 确认无误 | 明白了 | 收到 | 了解了? | HEN* (不错 | 挺好 | 好的 | 完美 | 棒) ,"
    " | (很 | 非常 | 挺 | 都) (好 | 可以) 的? | 太好了 | 太棒了 | 赞 , | (已 | 已经) 确认 , | 完全? (赞同 | 认可 |"
    " 同意) , | 一切就绪 | 没毛病 | JIHUA (批准 | 通过) , | (谢谢 | 感谢) (你 | 您)? (的 (计划 | 方案 | 规划))? | 多谢"
    " | 辛苦了? | 麻烦了 | 拜托了? | 就这样吧? , | 就这么定了? 吧? | 就 (按 | 用 | 照) 这个 吧? , | 我? (已经)? (看过"
    " | 看完 | 审过 | 检查过 | 审阅 | 确认) 了? JIHUA? 了? , | 我? (同意 | 批准 | 认可 | 接受 | 确认) JIHUA 了? , |"
    " JIHUA 我? (都 | 已经)? (看 | 看过 | 看完 | 审过 | 确认) 了 | 我 (完全)? (同意 | 没意见 | 没问题 | 没有意见 |"
    " 没有问题 | 批准 | 确认) 了? , | JIHUA KAN? HEN* HAO (了 | 的)? , | KAN HEN* HAO (了 | 的)? , | (评审 | 审核 |"
    " 审批) 通过了? | (不用 | 不需要 | 无需 | 没有? (什么 | 啥)? (要 | 需要)) 再? (改 | 修改 | 调整) (了 | 的)* , |"
    " 没有? (别的 | 其他 | 其它) (问题 | 意见) 了?"
)
"""What may stand around a Chinese approval, and approves nothing by itself."""

BARE = (
    "go | go on | continue | keep going | carry on | move on | next | start | begin | act | build | run | please |"
    " hmm | well | no | nope | 继续 吧? | 开始 | 下一步 | 知道了 | 然后 呢? | 不 | 不行 | 嗯哼"
)
"""What could mean anything: it may be about the plan, or about planning on."""

PLAN_ONLY = {
    "no-changes-yet": (
        "(do not | dont | never | not | no need to | without | nobody should | must not | shouldnt | should not)"
        " (just | yet | actually | even | please | go ahead and | go and | want you to | want to | going to | rush to"
        " | try to | start | begin)* (start | starting | begin | execute | executing | implement | implementing | run"
        " | running | apply | applying | change | changing | modify | modifying | edit | editing | touch | touching |"
        " write | writing | build | building | code | coding | proceed | go ahead | do it | do anything | do this |"
        " ship | make (any | the | these | changes))"
    ),
    "only-plan": (
        "(just | only | keep | continue | stay) (do | make | give me | write | in | show me | on)? (a | the | with)?"
        " (plan | planning) (mode | only | first | for now | please)? , | plan only | planning only | plan mode only |"
        " plan first | no (code | changes | edits | coding | implementation | execution) (changes | yet | please | for"
        " now)* ,"
    ),
    "wait": "i (reject | refuse | decline) | not yet | hold (off | on | your horses) | , (wait | stop | pause)",
    "zh-no-changes-yet": (
        "(先? (不要 | 别 | 不用 | 不必 | 不 | 勿 | 不能 | 不许 | 不准 | 不想 | 不可以? | 不得 | 不应该?) | 请勿 |"
        " 暂不 | 暂时不要? | 禁止 | 还不 | 无需 | 切勿) (急着 | 着急 | 急于 | 马上 | 立刻 | 立即 | 现在 | 就 | 直接 |"
        " 擅自 | 随便 | 开始 | 去 | 再 | 动手 | 先 | 真的)* (执行 | 实施 | 实现 | 动手 | 开始 | 开工 | 编码 | 动 , |"
        " 改 , | 修改 , | (改 | 动 | 碰 | 写 | 修改 | 编写) (任何)? 我? 的? (代码 | 文件 | 东西 | 源码 | 程序))"
    ),
    "zh-only-plan": (
        "(只 | 仅 | 先 | 继续 | 还是 | 单纯) 是? (需要 | 想要 | 要 | 给我 | 帮我)* (做 | 写 | 出 | 给 | 制定 | 完善 |"
        " 进行 | 列)? (个 | 一个 | 一下 | 出 | 好)* (计划 | 规划 | 方案) (一下 | 就行 | 即可 | 就好 | 吧 | 就可以"
        " 了?)* ,"
    ),
    "zh-wait": ", 先? (等等 | 等一下 | 等一等 | 稍等 | 慢着 | 且慢 | 打住 | 暂停 | 停) | 先等",
}
"""By name, the phrases that ask for nothing to change yet: found anywhere in a message."""

DOUBTS = {
    "question": (
        "can i | can you | could | shall | should | would | will | why | what | how | when | which | who | where | is"
        " it | are you | do you | did | 吗 | 么 | 呢 | 是否 | 是不是 | 能不能 | 可不可以 | 要不要 | 行不行 | 好不好 |"
        " 怎么 | 什么 | 为什么 | 谁 | 多少 | 哪"
    ),
    "condition": (
        "if | unless | until | once | after | before | provided | assuming | as long as | as soon as | only when |"
        " but | except | whenever | 如果 | 假如 | 要是 | 等我 | 等到 | 之后 | 以后 | 的话 | 除非 | 只要 | 直到 | 但是"
        " | 但 | 不过 | 再"
    ),
    "part": "step | steps | only | first | part | half | 第一步 | 步骤 | 只 | 先",
    "negation": "not | dont | never | cannot | cant | no | wont | 不 | 别 | 没 | 勿",
}
"""Words that tell why a message is no approval. They only name the reason: what is not in the
phrases above does not approve."""

KEY_WORDS = (
    "ahead",
    "please",
    "proceed",
    "execute",
    "executing",
    "execution",
    "implement",
    "implementing",
    "implementation",
)
"""Words that are understood with one letter wrong: none is one letter from a word that says otherwise."""

WEARY = frozenset(
    {"sure", "yeah", "fine", "great", "perfect", "good", "nice", "ok", "okay", "awesome", "好", "行", "对", "是"}
)
"""Words that sound weary or ironic when said twice in a row."""

CHEER = frozenset("👍🚀✅🎉🙏👌😊😀😃😄😁🙂💪🔥❤💯🙌👏✨☺♥🆗✔🫡🤝⚡🏁🟢")
"""Signs that cheer and say nothing more. Any other may be irony."""

SIMPLIFIED = str.maketrans(
    "開執這個計劃實現動幹請沒問題嗎說們寫編碼進內裡從來對為應該後還據著辦見議過認確準許權剛當樣麼點讓給謝煩勞續審閱無誤規變驟別暫時運僅馬緊關於錯贊讀盡經幾條務資滿",
    "开执这个计划实现动干请没问题吗说们写编码进内里从来对为应该后还据着办见议过认确准许权刚当样么点让给谢烦劳续审阅无误规变骤别暂时运仅马紧关于错赞读尽经几条务资满",
)
"""Traditional characters of the phrases, and their simplified forms."""

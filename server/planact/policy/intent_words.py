"""How people say that a plan is to be carried out, or that nothing is to change yet: English and Chinese, as phrases.

What is not written here approves nothing. So words that hedge, put off, pick a part or name another task are left out
on purpose, and so is the praise that is more often meant ironically. Apostrophes and hyphens are gone from the text by
the time it is read, a comma stands for anything that separates, also for the end, and Chinese is simplified.
"""

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

JARRING = {
    "weary": """sure ,? sure | yeah ,? (yeah | right) | fine ,? fine | great ,? great | perfect ,? perfect
        | good ,? good | nice ,? nice | ok ,? ok | okay ,? okay | awesome ,? awesome | 好 ,? 好 | 行 ,? 行 | 对 ,? 对
        | 是 ,? 是""",
    "how": "(do | make | implement | execute | build | code | run | ship) (it | this | that | them) VERY* GOOD",
    "zh-condition": """(没问题 | 没有问题 | 没意见 | 没有意见 | 异议 | 无误 | 可以 | 不错 | 同意 | 好 | 批准 | 确认
        | 通过 | 就绪 | 准备好 | 完 | 过 | 了 | 满意 | 合理 | 可行 | 认可 | 赞同 | 完美 | 棒 | , (行 | 对 | 成
        | 妥)) (的 | 了)* 就""",
}
"""By name, known words that side by side say something else: they sound weary, or mean "if it is fine, then"."""

TAGS = frozenset(
    {
        "ok",
        "okay",
        "k",
        "yes",
        "yeah",
        "correct",
        "true",
        "agreed",
        "right",
        "alright",
        "fine",
        "good",
        "cool",
        "clear",
        "sure",
        "对",
    }
)
"""Words that, alone after an approval, ask whether it is one."""

CHEER = frozenset("👍🚀✅🎉🙏👌😊😀😃😄😁🙂💪🔥❤💯🙌👏✨☺♥🆗✔🫡🤝⚡🏁🟢🚢🥳🤩💙💚☑▶🤘🎯🛠")
"""Signs that cheer and say nothing more. Any other may be irony."""

SIMPLIFIED = str.maketrans(
    "開執這個計劃實現動幹請沒問題嗎說們寫編碼進內裡從來對為應該後還據著辦見議過認確準許權剛當樣麼點讓給謝煩勞續審閱無誤規變驟別暫時運僅馬緊關於錯贊讀盡經幾條務資滿檢聽畫極啟總體詳細結構節單測試聲穩漂業並終採納",
    "开执这个计划实现动干请没问题吗说们写编码进内里从来对为应该后还据着办见议过认确准许权刚当样么点让给谢烦劳续审阅无误规变骤别暂时运仅马紧关于错赞读尽经几条务资满检听画极启总体详细结构节单测试声稳漂业并终采纳",
)
"""Traditional characters of the phrases, and their simplified forms."""

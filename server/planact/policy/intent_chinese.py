"""How people say in Chinese that a plan is to be carried out, as phrases in the notation of `phrases`.

What is not written here approves nothing; a comma stands for anything that separates, also for either end of the
message, and all is in simplified characters. English words stand in the sentences as people mix them.
"""

CHINESE_PARTS = {
    "MASHANG": """(现在 | 马上 | 立刻) 就? | 立即 | 即刻 | 赶紧 | 赶快 | 抓紧 | 尽快 | 快点? | 直接 | 这就 | 全部
        | 都 | 放心 | 大胆 | 放手 | 尽管 | 正式 | 一次性 | 依次 | 按顺序 | 按步骤 | 严格 | 完全 | 一起 | 统统
        | now""",
    "ZHE": """本 | 原 | 这个 | 这份 | 这套 | 这些 | 这 | 该 | 此 | 那个 | 那份 | 你 (们 | 刚才 | 刚刚 | 刚)? (给
        | 给出 | 提 | 提出 | 提供 | 写 | 列 | 列出 | 做 | 设计 | 制定 | 说)? 的 | 你这个 | 上面的? | 上面这个
        | 上述 | 以上 | 前面的 | 刚才的 | 刚才那个 | 刚刚的 | 当前的? | 整个 | 整份 | 全部的? | 所有的? | 现在的
        | 最终的? | 完整的? | 咱们的 | 我们的 | 提出的 | 制定的 | 列出的 | the | this""",
    "JIHUA": "ZHE* (设计 | 实施 | 实现 | 执行 | 技术 | 修改 | 重构 | 改造)? (计划 | 方案 | plan)",
    "DONGXI": """它 | JIHUA (里的 | 中的 | 的)? (所有 | 全部)? (步骤 | 内容 | 改动 | 修改)? | ZHE ZHE* (步骤
        | 思路 | 修改点 | 改动 | 修改 | 更改 | 变更 | 内容 | 任务 | 功能)""",
    "AN": """(按 | 按照 | 照 | 依 | 照着 | 依照 | 根据 | 依据 | 遵照 | 跟着) (DONGXI | 这个 | 这样 | 这 | 步骤
        | 你 (说 | 写 | 想) 的 | 上面说的 | 上面的) (里说的 | 说的)?""",
    "ZHEME": "照此 | 据此 | 按此 | 就? (这么 | 这样)",
    "NI": """(请 | 你 | 您 | 麻烦 | 劳烦 | 劳驾 | 烦请 | 拜托 | 辛苦 | 帮我 | 帮忙 | 给我 | 我们 | 咱们 | 咱 | 那
        | 那么 | 就 | 接下来 | 来)*""",
    "QUDAO": "(进入 | 切换到 | 转到 | 切到) (执行 | 实施 | act) (模式 | 阶段) (并 | 然后 | ,)?",
    "ZUO": """(执行 | 实施 | 实现 | 实作 | 落实 | 落地 | 推进 | 动手 | 开工 | 动工 | 开干 | 开搞 | 开整 | 施工
        | 行动 | execute | implement) (一下 | 起来)? (DONGXI | 任务 | 全部)? 都?""",
    "XIE": """(写 | 编写 | 改 | 修改 | 动 | 敲) (代码 | 程序 | 程式 | 代码文件) | 编码 | 编程 | 开发 | coding
        | 动手写代码""",
    "GAN": "XIE | 干 | 做 | 搞 | 整 | 干活 | 工作 | 弄 | 处理 | 写",
    "START_UP": "start | begin | proceed | build | code | coding | go | ship",
    "KAISHI": "开始 | 着手 | 动手 | 去 | 进行",
    "SHEI": "你 | 您 | 我们 | 咱们 | 现在 | 已经 | 那 | 就",
    "BA": "吧 | 啦 | 哈 | 哦 | 呗 | 喽 | 咯 | 了哈 | 即可 | 就行 | 就好 | 去吧 | 起来吧? | now | please",
    "HEN": """很 | 挺 | 非常 | 都 | 确实 | 整体 | 总体 | 也 | 蛮 | 相当 | 还 | 真 | 十分 | 特别 | 完全 | 已经?
        | 已 | 写得""",
    "MEIYOU": """(没 | 没有 | 无) (什么 | 啥 | 任何 | 别的 | 其他 | 其它)? (问题 | 意见 | 异议 | 疑问 | 毛病
        | 补充 | 要 (改 | 补充) 的 | 需要 (改 | 修改 | 调整) 的)""",
    "HAO": """好 | 不错 | 可以 | 行 | MEIYOU | 合理 | 清晰 | 清楚 | 详细 | 完整 | 完善 | 可行 | 通过 | ok | 周全
        | 全面 | 到位 | 靠谱 | 完美 | 满意 | 棒 | 赞 | 对 | 正确 | 稳 | 妥 | 确认 | 批准 | 同意 | 认可 | 赞成
        | 赞同 | 无误 | 就绪 | 准备好 | lgtm""",
    "KAN": """看起来 | 看着 | 看上去 | 看来 | 听起来 | 听上去 | 写得 | 做得 | 想得 | 感觉 | 我看 | 我? (觉得
        | 认为) | looks | sounds""",
    "SHUODE": """JIHUA | 思路 | 方向 | 步骤 | 内容 | 一切 | 全部 | 全 | 我 | 我们 | 我? 这边 | 这边 | 这 | 这个
        | 这样 | 对 JIHUA""",
    "HAODE": """(好 | 行 | 成 | 妥 | 是 | 对 | 嗯 | 恩 | 可 | 中 | 来吧? | 稳 | (可以) 了? | 确认 | 确定 | 同意
        | 批准 | 准了? | 赞成 | 通过 | 明白 | 确认过 | 定了 | 漂亮 | 好的 | 没问题) , | 好 (吧 | 啊 | 呀 | 嘞
        | 滴 | 哒 | 了) | 得嘞 | 行 (吧 | 的 | 嘞) | 那? 就 是? (这样 | 这么定 | 它 | 这个) 了? 吧? ,""",
    "KANGUO": """(仔细 | 认真 | 大致)* ((看 | 读 | 检查 | 审 | 审阅 | 审核 | 浏览 | review) (了 | 过了? | 完了
        | 好了) | 确认) (一下 | 一遍 | 下)?""",
}
"""Phrases that the ones below are made of: named by the Chinese word that is typical of each."""

CHINESE_APPROVALS = {
    "zh-order": """NI QUDAO? NI MASHANG* ((开始)? AN | 把 DONGXI 都? | ZHE JIHUA | ZHEME)? NI MASHANG* (继续)?
        KAISHI* MASHANG* ZUO BA? | NI 把 (DONGXI | 这个 | 这些) 都? MASHANG* ZUO 了? BA? | NI 把 代码 都? (改
        | 写) (了 | 好) BA? | NI 把 (它 | 这个 | 这些) 都? (做 | 干 | 搞定) 了? BA? | NI 进入 (执行 | 实施) 阶段
        BA? | NI DONGXI 都 MASHANG* ZUO BA? | NI MASHANG* 应用 DONGXI BA? | 请 MASHANG* XIE BA?""",
    "zh-work": """NI MASHANG* (AN | ZHEME)? NI MASHANG* KAISHI KAISHI* MASHANG* (GAN | 改 | 修改 | 进行 | 任务)
        BA? | NI 直接 MASHANG* (XIE | 干 | 做 | 搞 | 上 | 开始) BA? | NI MASHANG* (干 | 干活 | 做 | 搞 | 整 | 弄
        | 上 | 冲 | XIE) 吧 | NI (现在 | 马上 | 立刻) 就? (干 | 做 | 搞) BA? | 搞起来? | 整起来 | 弄起来 BA?
        | 走起 | 冲 | (好的? | 行 | 可以 的? | 没问题 | 同意 | 成 | 嗯 | 对 | ok | okay | yes | lgtm) , (干 | 做
        | 搞 | 上)""",
    "zh-as-planned": """NI MASHANG* (开始)? (AN | ZHEME) MASHANG* (来 | 去)? (来 | 做 | 干 | 办 | 搞 | 走 | 进行
        | 开始 | 推进 | 操作 | 落地 | 行事 | 办理 | XIE | (进行)? (改 | 修改) | 进行 (开发 | 改动 | ZUO)) BA?
        | NI 照着? (做 | 办) BA?""",
    "zh-begin": """NI MASHANG* 开始 BA BA* | NI (请 | 那就 | MASHANG) (你 | 您)? MASHANG* 开始 | (SHUODE* KAN?
        HEN* HAO (的 , | 了)? | ASSENT | HAODE) ,? 开始""",
    "zh-permission": """(SHEI | DONGXI)* 可以 MASHANG* (AN | ZHEME)? (KAISHI | 继续)? MASHANG* ZUO 了? | SHEI*
        可以 MASHANG* (AN | ZHEME)? (KAISHI MASHANG* GAN 了? | (开始 | 动手) (改 | 修改)? 了 | (直接 | 现在)* XIE
        了 | 做了) | 我? (同意 | 批准 | 允许 | 准许 | 授权 | 确认 | 确定 | 准予) (SHEI | MASHANG)* (AN | ZHEME)?
        ((开始)? (ZUO | XIE) | 开始) BA?""",
    "zh-mixed": """NI MASHANG* (请 | 直接 | 开始 | 现在 | 马上 | 那就) (START_UP | ACTS) BA? | NI (START_UP
        | ACTS) 吧 | SHEI* 可以 (开始)? (START_UP | ACTS) 了 | HAODE ,? lets go""",
}
"""By name, the phrases that ask for the plan to be carried out, in Chinese. Each goes up to a separator: a plan can be
called what one would call carrying it out, so what follows could make it the subject of the sentence."""

CHINESE_COURTESIES = """HAODE | 好的 | ok (的 | 啦 | 了) | (妥 | 稳) 了 | 听你的 , | SHUODE* KAN? HEN* HAO (的
    | 了 | 啊 | 哈)* , | SHUODE* KANGUO JIHUA? 了? , | JIHUA 我? HEN* KANGUO , | 我? HEN* KANGUO (JIHUA | 没问题
    | 没有问题 | 无误 | 无问题)* 了? , | (没 | 没有) (什么 | 啥)? (问题 | 意见) 了? | (没 | 没有 | 无) 异议
    | 可以的 | 可以 可以 , | 嗯嗯 | 是的 | 对的 | 没错 | 确认无误 | 明白了 | 收到 | 了解了? | HEN* (不错 | 挺好
    | 好的 | 完美 | 棒) , | (很 | 非常 | 挺 | 都) (好 | 可以) 的? | 太 (好 | 棒 | 完美) 了 | 完全? (赞同 | 认可
    | 同意) , | 没毛病 | 当然 (可以)? , | 当然 可以 | (谢谢 | 感谢 | 多谢 | 谢了 | 非常感谢) (你 | 您)? (的 (计划
    | 方案 | 规划))? | 辛苦 (了 | 啦)? | 麻烦 你? 了 | 拜托了? | 你好 | 您好 | 继续 吧? , | JIHUA (ok | lgtm)
    | 就 (按 | 用 | 照) 这个 吧? , | 我? HEN* (同意 | 批准 | 认可 | 接受 | 确认 | 满意 | 喜欢) JIHUA 了? ,
    | (评审 | 审核 | 审批) 通过了? | (不用 | 不需要 | 无需) 再? (改 | 修改 | 调整) (了 | 的)* , | 这? 正
    (是我想要的 | 合我意) | 准备好了"""
"""What may stand around a Chinese approval, and approves nothing by itself."""

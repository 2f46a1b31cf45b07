"""How people say in Chinese that a plan is to be carried out, as phrases in the notation of `phrases`.

What is not written here approves nothing; a comma stands for anything that separates, also for either end of the
message, and all is in simplified characters. English words stand in the sentences as people mix them.
"""

CHINESE_PARTS = {
    "MASHANG": """(现在 | 马上 | 立刻 | 立马) 就? | 速速 | 速度 | 抓紧时间 | 一口气 | 完整 | 放心大胆地? | 立即
        | 即刻 | 赶紧 | 赶快 | 抓紧 | 尽快 | 快点? | 直接 | 这就 | 全部 | 都 | 放心 | 大胆地? | 放手 | 尽管
        | 正式 | 一次性 | 依次 | (按 | 按照) 顺序 | 逐一 | 挨个 | 一个个 | 从头 | 全力 | 按步骤 | 严格 | 逐步
        | 逐条 | 一步步 | 一步一步 | 从 (头 | 第一步) (开始 | 到尾) | 全权 | 按部就班 | 完全 | 一起 | 统统 | now""",
    "ZHE": """本 | 原 | 这个 | 这份 | 这套 | 这些 | 这 | 该 | 此 | 那个 | 那份 | 你 (们 | 刚才 | 刚刚 | 刚)? (给
        | 给出 | 提 | 提出 | 提供 | 写 | 列 | 列出 | 做 | 设计 | 制定 | 说)? 的 | 你这个 | 上面的? | 上面这个
        | 上述 | 以上 | 前面的 | 刚才的 | 刚才那个 | 刚刚的 | 当前的? | 现在这个 | 最新的? | (修改 | 更新 | 调整)
        后的 | 既定 | 整个 | 整份 | 全部的? | 所有的? | 现在的 | 最终的? | 完整的? | 咱们的 | 我们的 | 提出的
        | 制定的 | 列出的 | the | this""",
    "JIHUA": "ZHE* (设计 | 实施 | 实现 | 执行 | 技术 | 修改 | 重构 | 改造)? (计划 | 方案 | plan)",
    "DONGXI": """它 | JIHUA (里的 | 中的 | 的)? (所有 | 全部)? (步骤 | 内容 | 改动 | 修改)? | ZHE ZHE* (步骤
        | 思路 | 想法 | 建议 | 修改点 | 改动 | 修改 | 更改 | 变更 | 内容 | 任务 | 功能)""",
    "AN": """(按 | 按照 | 用 | 采用 | 照 | 依 | 照着 | 依照 | 根据 | 依据 | 遵照 | 跟着) (DONGXI | 这个 | 这样
        | 这 | 步骤 | 建议 | 你 建议 的 | 你 (说 | 写 | 想)? 的 | 上面说的 | 上面的) (里说的 | 说的)?""",
    "ZHEME": "照此 | 据此 | 按此 | 依此 | 就? (这么 | 这样)",
    "NI": """(请 | 你 | 您 | 麻烦 | 劳烦 | 劳驾 | 烦请 | 拜托 | 辛苦 | 帮我 | 帮忙 | 给我 | 我们 | 咱们 | 咱 | 那
        | 那么 | 就 | 接下来 | 来)*""",
    "QUDAO": """((进入 | 切换 到? | 转到 | 转入 | 切到) (执行 | 实施 | 实现 | 开发 | 编码 | act) (模式 | 阶段)
        | 退出 (计划 | plan) 模式) (吧? , | 并 | 然后)?""",
    "ZUO": """(执行 | 实施 | 实现 | 实作 | 付诸 (实施 | 行动 | 实践) | 落实 (到代码)? | 落地 | 推进 (实施
        | 执行)? | 启动 (执行 | 实施 | 开发) | 开启执行 | 动手 | 开工 | 动工 | 开干 | 开搞 | 开整 | 施工 | 行动
        | execute | implement) (一下 | 一遍 | 到底 | 起来)? (DONGXI | 任务 | 全部)? 都?""",
    "XIE": """(写 | 编写 | 改 | 修改 | 动 | 敲) (代码 | 程序 | 程式) (实现 DONGXI?)? | 用代码实现 DONGXI?
        | 编码实现 | 编码 | 编程 | 开发 | coding | 动手写代码""",
    "GAN": "XIE | 干 | 做 | 搞 | 整 | 干活 | 工作 | 弄 | 处理 | 写",
    "START_UP": "start | begin | proceed | build | code | coding | ship",
    "KAISHI": "开始 | 着手 | 动手 | 去 | 进行",
    "SHEI": "你 | 您 | 我们 | 咱们 | 现在 | 已经 | 那 | 就",
    "BA": "吧 | 啦 | 哈 | 哦 | 呗 | 喽 | 咯 | 了哈 | 即可 | 就行 | 就好 | 去吧 | 起来吧? | now | please",
    "HEN": """当然 | 很 | 挺 | 非常 | 都 | 确实 | 整体 | 总体 | 也 | 蛮 | 相当 | 还 | 真 | 十分 | 特别 | 百分百
        | 百分之百 | 强烈 | 完全 | 已经? | 已 | 写得""",
    "MEIYOU": """没得说 | (不用 | 不需要 | 无需 | 不必) 再? (改 | 修改 | 调整 | 补充) | (没 | 没有 | 无 | 暂无
        | 并无) (什么 | 啥 | 任何 | 别的 | 其他 | 其它)? (问题 | 意见 | 异议 | 疑问 | 毛病 | 补充 | 要求 | (要
        | 需要 | 可 | 好)? (改 | 修改 | 调整 | 补充 | 说) 的)""",
    "HAO": """(符合 | 满足) (我的 | 我们的)? (要求 | 需求 | 预期 | 期望)? | 解决了我的? (所有)? (问题 | 顾虑
        | 疑问) | 就 (行 | 好 | 可以 | 对) | 好 | 支持 | 认同 | 采纳 | 定 | 不错 | 可以 | 行 | MEIYOU | 合理
        | 清晰 | 清楚 | 详细 | 完整 | 完善 | 可行 | 通过 | ok | 周全 | 全面 | 到位 | 靠谱 | 专业 | 得当 | 接受
        | 喜欢 | 没错 | 完美 | 满意 | 棒 | 赞 | 对 | 正确 | 稳 | 妥 | 确认 | 批准 | 同意 | 认可 | 赞成 | 赞同
        | 无误 | 就绪 | 准备好 | lgtm | (审核 | 评审 | 审批 | 验收) 通过 | (已 | 已经) (审核 | 评审 | 审阅
        | 阅读) | (审核 | 评审 | 审阅) 过 | 确认 (无误 | 完毕) | 了解 | 明白 | 理解 | 懂 | 获得批准 | 得到认可""",
    "KAN": """改得 | 说得 | 规划得 | 安排得 | 看起来 | 看着 | 看上去 | 看来 | 听起来 | 听上去 | 写得 | 做得
        | 想得 | 感觉 | 我看 | 你? (讲 | 分析 | 考虑 | 设计 | 干 | 说 | 写 | 做 | 想 | 理解) (得 | 的) | 是 | 我?
        (觉得 | 认为) | looks | sounds""",
    "SHUODE": """((修改 | 更新 | 调整) 后的)? 新? JIHUA | 现在 | 现在 这样 | 这 (版 | 次 | 下) | 双方 | ((每 个?
        | 每一 | 所有 | 整体 | 总体 | 大体 | 你的 | ZHE)* (步 | 步骤 | 思路 | 方向 | 逻辑 | 结构 | 想法 | 设计
        | 架构 | 改动 | 分析 | 考虑 | 理解 | 建议 | 修改 | 更改 | 安排 | 规划 | 流程 | 顺序 | 细节 | 内容 | 计划
        | 方案)) | 以上 | 上述 | 大体 | 一切 | 全部 | 全 | 我 | 我们 | 我? 这边 | 这边 | 这 | 这个 | 这样 | 对
        JIHUA""",
    "TA": "啊 | 呀 | 嘞 | 滴 | 哒 | 哦 | 耶 | 勒 | 咧 | 叻 | 哈 | 啦",
    "HAODE": """((嗯 | 恩) ,? (嗯 ,?)*)? ((好 | 行 | 成 | 妥 | 对 | 可 | 可以 | ok | 没问题 | 没有问题) (TA | 了
        | 的 TA?)? | (好 | 行) 吧 | 是 | 嗯 | 恩 | 中 | 来吧? | 稳 | 漂亮 | 那 (好 | 行 | 可以 | 没问题 了?
        | 就没问题了) | 那么 | (那就)? (交给 | 靠 | 拜托 | 麻烦) 你了 | 全权交给你 | (确认 | 确定 | 同意 | 批准
        | 批 | 准 | 赞成 | 通过 | 放行 | 明白 | 懂 | 清楚 | 理解 | 支持 | 定) (了 | 过了?)? | 准奏 | 确认 (完毕
        | 好了) | (已 | 已经) (审核 | 审阅 | 阅 | 确认 | 批准 | 同意) | (我们)? 达成 (共识 | 一致) 了?) , | 好
        (吧 | TA | 了) | 得嘞 | 行 (吧 | 的 | 嘞) | 嗯? JIHUA? 那? 就 是? (这样 | 这么定 | 它 | 这个 | 听你的
        | (按 | 照 | 用) (这个 | JIHUA) 来?) 了? 吧? , | (用 | 采用 | 采纳 | 选) JIHUA ,""",
    "KANGUO": """(仔细 | 认真 | 大致)* ((看 | 读 | 检查 | 审 | 审阅 | 审核 | 浏览 | review) (了 | 过了? | 完了
        | 好了) | 确认 (了 | 过了? | 好了 | 完毕)) (一下 | 一遍 | 下)?""",
}
"""Phrases that the ones below are made of: named by the Chinese word that is typical of each."""

CHINESE_APPROVALS = {
    "zh-order": """NI QUDAO? NI MASHANG* ((开始)? AN | (把 | 将) DONGXI 都? | ZHE JIHUA | ZHEME)? NI MASHANG*
        (继续)? KAISHI* MASHANG* ZUO BA? | NI (把 | 将) (DONGXI | 这个 | 这些) 都? MASHANG* ZUO 了? BA? | NI (把
        | 将) 代码 都? (改 | 写) (了 | 好) BA? | NI (把 | 将) (它 | 这个 | 这些) 都? (做 | 干 | 搞定) 了? BA?
        | NI MASHANG* (把 | 将) (它 | 这个 | 这些 | ZHE* 功能 | 代码) (做 | 实现 | 写 | 开发) 出来 BA? | NI
        KAISHI* (可以)? (进入 | 转入) ((执行 | 实施 | 实现 | 开发 | 编码) 阶段 | 执行) 了? BA? | NI DONGXI (都
        | 一起) MASHANG* ZUO BA? | NI (把 | 将) ZHE* (改动 | 修改 | 步骤) 都? 做 了? BA? | NI MASHANG* (应用
        | 运行) DONGXI BA? | NI 启动 吧 | NI MASHANG* 完成 (实现 | 开发 | (所有 | 全部) (的)? (步骤 | 任务
        | 改动)) BA? | NI 将 JIHUA 付诸 (实施 | 实践 | 行动) | (请 | 帮我 | 麻烦 | 麻烦你 | 给我) MASHANG* XIE
        BA?""",
    "zh-work": """NI MASHANG* (AN | ZHEME)? NI MASHANG* KAISHI KAISHI* MASHANG* (GAN | 改 | 修改 | 进行 | 任务)
        BA? | NI 直接 MASHANG* (XIE | 干 | 做 | 搞 | 上 | 开始) BA? | NI MASHANG* (干 | 干活 | 做 | 做完 | 搞
        | 整 | 弄 | 上 | 冲 | XIE) 吧 | NI 干活 | NI (干 | 做 | 动) 起来 吧 | 干起来 | NI (现在 | 马上 | 立刻)
        就? (干 | 做 | 搞) BA? | 搞起来? | 整起来 | 弄起来 BA? | 走起 | 冲 | (好的? | 行 | 可以 的? | 没问题
        | 同意 | 成 | 嗯 | 对 | ok | okay | yes | lgtm) , (干 | 做 | 搞 | 上)""",
    "zh-as-planned": """NI MASHANG* (开始)? (AN | ZHEME) MASHANG* (来 | 去)? (来 | 做 | 干 | 办 | 搞 | 走 | 进行
        | 开始 | 推进 | 操作 | 落地 | 行事 | 办理 | XIE | 进行 (开发 | 改动 | ZUO)) BA? | NI MASHANG* (按 | 按照
        | 照 | 根据) JIHUA MASHANG* (来 | 去 | 进行)? (改 | 修改) BA? | NI 照着? (做 | 办) BA?""",
    "zh-begin": """NI MASHANG* 开始 BA BA* | NI (请 | 那就 | MASHANG) (你 | 您)? MASHANG* 开始 | ((SHUODE | KAN
        | HEN)* HAO (的 , | 了)? | ASSENT | HAODE) ,? 开始""",
    "zh-permission": """(SHEI | DONGXI)* 可以 MASHANG* (AN | ZHEME)? (KAISHI | 继续)? MASHANG* ZUO 了? | SHEI*
        可以 MASHANG* (AN | ZHEME)? (KAISHI MASHANG* GAN 了? | (开始 | 动手) (改 | 修改)? 了 | (直接 | 现在)* XIE
        了 | 做了) | 我? (同意 | 批准 | 允许 | 准许 | 授权 | 确认 | 确定 | 准予) (SHEI | MASHANG)* (AN | ZHEME)?
        ((开始)? (ZUO | XIE) | 开始) BA?""",
    "zh-mixed": """NI MASHANG* (请 | 直接 | 开始 | 现在 | 马上 | 那就) (START_UP | ACTS) BA? | NI (START_UP
        | ACTS) 吧 | SHEI* 可以 (开始)? (START_UP | go | ACTS) 了 | HAODE ,? lets go""",
}
"""By name, the phrases that ask for the plan to be carried out, in Chinese. Each goes up to a separator: a plan can be
called what one would call carrying it out, so what follows could make it the subject of the sentence."""

CHINESE_COURTESIES = """HAODE | 好的 | ok (的 | 啦 | 了) | (妥 | 稳) 了 | 听你的 , | (SHUODE | KAN | HEN)* HAO
    (的 | 了 | 啊 | 哈)* , | SHUODE* KANGUO JIHUA? 了? , | JIHUA 我? HEN* KANGUO , | 我? HEN* KANGUO (JIHUA
    | 没问题 | 没有问题 | 无误 | 无问题)* 了? , | (没 | 没有) (什么 | 啥)? (问题 | 意见) 了? | (没 | 没有 | 无)
    异议 | 可以的 | 可以 可以 , | 嗯嗯 | 是的 | 对的 | 没错 | 我? 确认 (MEIYOU | 无误) | 明白了 | 收到 | 了解了?
    | HEN* (不错 | 挺好 | 好的 | 完美 | 棒) , | (很 | 非常 | 挺 | 都) (好 | 可以) 的? | 太 (好 | 棒 | 完美) 了
    | 完全? (赞同 | 认可 | 同意) , | 没毛病 | 当然 (可以)? , | 当然 可以 | (谢谢 | 感谢 | 多谢 | 谢了 | 非常感谢)
    (你 | 您)? (的 (计划 | 方案 | 规划))? | 辛苦 (了 | 啦)? | 麻烦 你? 了 | 拜托了? | 你好 | 您好 | 继续 吧? ,
    | JIHUA (ok | lgtm) | 就 (按 | 用 | 照) 这个 吧? , | 我? HEN* (同意 | 批准 | 认可 | 接受 | 确认 | 满意 | 喜欢
    | 赞成 | 支持) JIHUA 了? , | (评审 | 审核 | 审批) 通过了? | 我 HEN* KANGUO (每个 | 所有 | 全部) 步骤 了? ,
    | 这? (正是 | 就是)? 我 (想要 | 要 | 需要) 的 (就是 (这个 | 这样))? , | 正合我意 | (我)? HEN* (放心 | (相信
    | 信) 你) , | 我? 期待 (结果 | 你的成果)? , | (都听 | 依 | 就依) 你的? , | 接受建议 , | 采纳建议 , | 辛苦你了
    | 有劳 了? | 准备好了"""
"""What may stand around a Chinese approval, and approves nothing by itself."""

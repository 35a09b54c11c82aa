# ruff: noqa: E501, SIM905 - word lists read best as running text
"""English: how travellers name things and how firmly they say them.

Names of modes, hotel classes, kinds of sight and of food lead to the published values, which the tables and the
scorer use whatever the language of the talk.
"""

from __future__ import annotations

from collections.abc import Mapping

from benchmark.suites.grouptravel.agent.lexicon.model import Cue, Subject

_NEGATION = r"(?:cannot|can['’]?t|wo\s?n['’]?t|(?:can|could|must|do|does|did|will|would|should|shall|may)\s?(?:not|n['’]?t)|never|not)"
_INTENSIFIER = r"(?:really|that|too|very|so|particularly|especially|overly|all that|exactly|much|terribly|hugely|big|a big|a huge|a great|the biggest)"

CUES: Mapping[Cue, tuple[str, ...]] = {
    "must": (
        r"\b(?:an? )?(?:absolute |definite |real )?must(?:[- ](?:see|do|visit|eat|try|go|have|taste)s?)?s?\b(?!\s*n[o']t)",
        r"\b(?:have|has|had|got|need|needs) to\b(?! (?:say|admit|ask))", r"\bgotta\b",
        rf"\b{_NEGATION}\s+(?:(?:want|like|bear|afford|possibly) )?(?:to )?(?:be )?(?:miss(?:ed)?|skip(?:ped)?|leave out|left out|leave off|left off|leave(?: \w+)? without|(?:do|go|live|be) without|forget|omit(?:ted)?|drop(?:ped)?)\b",
        r"\bwould\s?n['’]?t (?:want to )?miss\b", r"\bnot (?:leaving|going home|coming home) without(?: (?:eating|seeing|visiting|trying))?\b",
        r"\bnon-?negotiable\b", r"\bbottom line\b", r"\binsist(?:s|ing)?(?: (?:on|that))?\b", r"\bno matter what\b", r"\bat (?:all|any) costs?\b", r"\bwhatever happens\b",
        r"\b(?:whole|main|only|very) (?:reason|point)\b", r"\b(?:top|first) (?:of|on) (?:my|the|our) list\b", r"\btop priority\b", r"\bnumber one\b",
        r"\bessential\b", r"\bindispensable\b", r"\bunmissable\b", r"\bcrucial\b", r"\bmandatory\b", r"\brequired?\b(?!ments)", r"\bdying to\b", r"\b(?:i )?wo\s?n['’]?t (?:budge|compromise|give (?:in|way|up))\b",
        r"\b(?:only|nothing but)(?= (?:by|take|accept|want|consider|eat|go|stay|travel|the|i))", r"\bnothing else will do\b", r"\bhas got to be\b", r"\bi['’]?m set on\b", r"\bheart (?:is )?set on\b",
        r"\bnot (?:be )?(?:complete|the same) without\b",
    ),
    "strong": (
        r"\babsolutely\b", r"\bdefinitely\b", r"\bcertainly\b", r"\bfirmly\b", r"\bstrictly\b", r"\b100 ?%", r"\bcompletely\b", r"\btotally\b", r"\bflatly\b", r"\bcategorically\b",
        r"\bunder any circumstances?\b", r"\bno exceptions?\b", r"\bfor sure\b", r"\bat all\b", r"\bwithout fail\b", r"\bby all means\b", r"\bfull stop\b", r"\bperiod\b", r"\bnot negotiable\b", r"\bno compromise\b", r"\bpositively\b", r"\bever\b",
    ),
    "hedge": (
        r"\bprefer(?:abl[ye]|ence)\b", r"\bideally\b", r"\bif (?:at all )?possible\b", r"\bif (?:we|you|it|there)(?: is|['’]s)? (?:can|could|could be|happens?|time|a chance|works?|fits?|any way)\b", r"\b(?:would|could|might) be (?:nice|good|great|lovely|fun|a plus)\b", r"\b['’]d be (?:nice|good|great|lovely|fun)\b",
        r"\bmaybe\b", r"\bperhaps\b", r"\bpossibly\b", r"\bquite\b", r"\brather\b", r"\bsomewhat\b", r"\bslightly\b", r"\ba (?:bit|little)\b", r"\bsort of\b", r"\bkind of\b(?! (?:sight|place|food|thing|hotel|attraction))",
        r"\btry(?:ing)? (?:to|and)\b", r"\btend to\b", r"\blean(?:ing)? towards?\b", r"\bmore of a\b", r"\bwhere possible\b", r"\bwhen possible\b", r"\bnot essential\b", r"\bnice to have\b", r"\bbonus\b", r"\bif it can be helped\b", r"\bif we can (?:help|avoid) it\b", r"\bgiven the choice\b", r"\bat some point\b",
    ),
    "desire": (
        r"\bli(?:ke|kes|ked|king)(?: to)?\b(?! (?:i|that|this|you) )", r"\blov(?:e|es|ed)(?: to)?\b", r"\benjoy(?:s|ing)?\b", r"\bprefer(?:s|red)?\b(?! not)", r"\bfond of\b", r"\bkeen (?:on|to)\b", r"\b(?:really |quite |very )?into\b", r"\b(?:a )?(?:big |huge |great )?fan of\b", r"\binterest(?:ed|ing)\b(?: in)?",
        r"\bhop(?:e|ing)(?: to)?\b", r"\bwant(?:s|ing)?(?: to)?\b", r"\bwould suit\b", r"\bsounds? (?:good|nice|great|fun|lovely|appealing)\b", r"\blook(?:ing)? forward to\b", r"\bcurious about\b", r"\bwould\s?n['’]?t mind\b", r"\bdrawn to\b", r"\bwish(?:ing)?(?: to)?\b(?!es)", r"\bhappy (?:to|with)\b", r"\bgo(?:ing)? for\b",
        r"\bfancy(?:ing)?\b", r"\bappeals? to\b", r"\bplease\b", r"\bbe (?:glad|happy|pleased)\b", r"\b(?:is|are) (?:nice|good|great|lovely|welcome|fun|a plus|my (?:favou?rite|thing|kind of thing))\b", r"\bfavou?rites?\b", r"\bcraving\b", r"\bdo(?:es)? it for me\b", r"\bsuits? me\b", r"\bmore comfortable with\b", r"\bwouldn['’]?t say no to\b", r"\bworth\b",
    ),
    "want": (
        r"\bneeds?\b(?! to)", r"\bi['’]?ll (?:take|have|be taking)\b", r"\bcount me in\b", r"\b(?:let['’]?s|we should) (?:see|visit|eat|try|have|go|take|do)\b", r"\bi['’]?m (?:going|taking|visiting|here) (?:to|for)\b",
    ),
    "neg": (
        r"\bnot\b(?! only)", r"n['’]t\b", r"\bno\b(?! more than| matter| later| longer than|\.)", r"\bwithout\b", r"\bnor\b", r"\bneither\b", r"\bnone of\b", r"\brule[sd]? out\b", r"\bstay away from\b", r"\bkeep away from\b",
    ),
    "lose": (r"\bmiss(?:ing)?\b", r"\bforget(?:ting)?\b"),
    "dismiss": (
        r"\bavoid(?:s|ed|ing)?\b", r"\bskip(?:s|ped|ping)?\b", r"\bleav(?:e|ing) out\b", r"\bpass on\b", r"\bsteer clear of\b", r"\b(?:could|can) do without\b", r"\bbetter (?:off )?without\b", r"\b(?:is|are|was|were)(?: ?n['’]?t| not) (?:\w+ )?(?:my|for)(?: (?:thing|cup of tea|style|taste|kind of thing|me))?\b",
        r"\bnot (?:\w+ )?(?:my (?:thing|cup of tea|style|taste)|for me)\b", r"\bnot worth\b", r"\bbor(?:ed|es|ing)\b(?: (?:by|of))?", r"\btired of\b", r"\boverrated\b", r"\bdo(?:es)?(?: ?n['’]?t| not) (?:really )?(?:care (?:much )?(?:for|about)|do (?:much|anything|it) for|appeal to|interest|excite)\b", r"\bto a minimum\b", r"\bminimi[sz]e\b", r"\bno (?:great |real |particular )?interest\b",
        r"\bnot interested\b(?: in)?", r"\bless of\b", r"\bnot a (?:\w+ )?fan\b(?: of)?", r"\bgo easy on\b", r"\bleast favou?rite\b", r"\bas (?:few|little)\b", r"\bgive (?:\w+ )?a miss\b",
    ),
    "refuse": (
        r"\brefus(?:e|es|ed|ing)(?: to)?\b", r"\babsolutely (?:not|no|won['’]?t|never|nothing)\b", r"\b(?<!i )(?<!i['’]ve )never\b", r"\bi (?:will |would )?never\b", r"\b(?:under|in) no (?:circumstances?|way|case)\b", r"\bout of the question\b", r"\bno way\b", r"\b(?:can['’]?t|could\s?n['’]?t) (?:stand|bear|stomach|tolerate|abide|accept|eat|take|do|have|go|be|handle|face)\b(?! without)", r"\bcannot (?:stand|bear|stomach|tolerate|abide|accept|eat|take|do|have|go|be|handle|face)\b(?! without)", r"\bhat(?:e|es|ed)\b", r"\bdetest\b", r"\bloathe\b",
        r"\ballergic(?: to)?\b", r"\ballergy\b", r"\b(?:will not|wo\s?n['’]?t|shall not|am not going to|i['’]?m not (?:going|getting|eating|taking|staying|setting))\b", r"\bveto(?:es|ed|ing)?\b", r"\breject(?:s|ed|ing)?\b", r"\boff the (?:table|menu|list)\b", r"\bdeal-?breaker\b", r"\b(?:a )?(?:hard|firm|definite|flat|big|clear) no\b", r"\bcount me out\b", r"\bover my dead body\b", r"\bno-?gos?\b", r"\bnot under any circumstances\b", r"\bmust(?: not|n['’]?t| avoid)\b", r"\bunacceptable\b", r"\bnot an option\b", r"\bforbidden\b", r"\bnot set(?:ting)? foot\b", r"\banything but\b", r"\brather die\b", r"\bzero tolerance\b",
    ),
    "lukewarm": (r"\b(?:do|does|did|would)\s?(?:not|n['’]?t) (?:want|like|enjoy|fancy|wish|care)(?: to)?\b", r"\bdislikes?\b", r"\bprefer not(?: to)?\b"),
    "soften": (
        rf"(?:\bnot|n['’]t) {_INTENSIFIER}(?: {_INTENSIFIER})?(?: (?:keen|fond|interested|into|excited|crazy|wild|enthusiastic|like|want|enjoy|a fan|fan))?(?: (?:on|of|about|in|to))?\b",
        r"\b(?:would |['’]d )?(?:rather|sooner|prefer) not\b", r"\btry(?:ing)? (?:to|and) (?:avoid|skip|leave out|keep .{1,20} to a minimum)\b", r"\btry(?:ing)? not to\b", r"\bmaybe not\b", r"\bperhaps not\b", r"\bpreferably not?\b", r"\bideally (?:not?|without|avoid)\b", r"\bhappier without\b", r"\bnot (?:mad|wild|crazy) about\b", r"\bcould (?:happily )?live without\b", r"\bif (?:we|you) can avoid\b", r"\bif possible,? (?:not?|avoid|without|skip)\b", r"\bnot my first choice\b", r"\bnot ideal\b",
    ),
    "fine": (
        r"\b(?:do|does|would)\s?n['’]?t mind\b(?! if not)", r"\b(?:ok|okay|fine|alright|cool) with\b", r"\b(?:can|could) live with\b", r"\bno objections?(?: to)?\b", r"\bindifferent (?:to|about)\b", r"\bacceptable\b", r"\b(?:is|are|be) (?:ok|okay|fine|alright)\b",
    ),
}  # fmt: skip

MODES: Mapping[str, str] = {
    "plane": "飞机", "airplane": "飞机", "aeroplane": "飞机", "flight": "飞机", "flying": "飞机", "fly": "飞机", "by air": "飞机", "air travel": "飞机", "aircraft": "飞机", "airline": "飞机",
    "high-speed rail": "高铁", "high speed rail": "高铁", "high-speed train": "高铁", "high speed train": "高铁", "bullet train": "高铁", "fast train": "高铁", "hsr": "高铁", "gaotie": "高铁", "g-train": "高铁", "high-speed railway": "高铁", "d-train": "高铁",
    "train": "火车", "regular train": "火车", "ordinary train": "火车", "normal train": "火车", "slow train": "火车", "sleeper": "火车", "sleeper train": "火车", "overnight train": "火车", "conventional train": "火车", "green train": "火车", "conventional rail": "火车", "night train": "火车",
    "driving": "自驾", "drive": "自驾", "self-drive": "自驾", "self-driving": "自驾", "self drive": "自驾", "by car": "自驾", "own car": "自驾", "rental car": "自驾", "rent a car": "自驾", "renting a car": "自驾", "road trip": "自驾", "car": "自驾", "driving ourselves": "自驾", "hire car": "自驾",
}  # fmt: skip

HOTELS: Mapping[str, str] = {
    "comfort hotel": "舒适型", "comfortable hotel": "舒适型", "comfort-class hotel": "舒适型", "mid-range hotel": "舒适型", "midrange hotel": "舒适型", "mid-range": "舒适型", "midrange": "舒适型", "three-star hotel": "舒适型", "3-star hotel": "舒适型", "comfort type": "舒适型", "comfort": "舒适型", "comfort class": "舒适型",
    "economy hotel": "经济型", "budget hotel": "经济型", "cheap hotel": "经济型", "economy": "经济型", "inexpensive hotel": "经济型", "upscale hotel": "高档型", "upscale": "高档型", "high-end hotel": "高档型", "high-end": "高档型", "upmarket hotel": "高档型", "four-star hotel": "高档型", "4-star hotel": "高档型", "premium hotel": "高档型",
    "homestay": "民宿", "guesthouse": "民宿", "guest house": "民宿", "b&b": "民宿", "bed and breakfast": "民宿", "minsu": "民宿", "airbnb": "民宿", "business hotel": "商务酒店", "business-class hotel": "商务酒店",
    "luxury hotel": "豪华型", "luxury": "豪华型", "luxurious hotel": "豪华型", "five-star hotel": "豪华型", "5-star hotel": "豪华型", "deluxe hotel": "豪华型", "five-star": "豪华型", "5-star": "豪华型", "express hotel": "快捷酒店", "chain hotel": "快捷酒店", "budget chain": "快捷酒店", "express": "快捷酒店", "budget chain hotel": "快捷酒店",
    "hostel": "旅馆", "lodge": "旅馆", "small hotel": "旅馆", "motel": "旅馆", "inn": "客栈", "traditional inn": "客栈", "resort": "度假酒店", "resort hotel": "度假酒店", "holiday hotel": "度假酒店", "esports hotel": "电竞酒店", "e-sports hotel": "电竞酒店", "gaming hotel": "电竞酒店",
    "serviced apartment": "公寓式酒店", "apartment hotel": "公寓式酒店", "aparthotel": "公寓式酒店", "apartment": "公寓式酒店", "apartment-style hotel": "公寓式酒店", "themed hotel": "主题酒店", "theme hotel": "主题酒店", "boutique hotel": "精品",
}  # fmt: skip

CATEGORIES: Mapping[str, str] = {
    "museum": "博物馆", "park": "公园", "city park": "城市公园", "temple": "寺庙", "monastery": "寺庙", "buddhist temple": "寺庙", "natural scenery": "自然风光", "nature": "自然风光", "scenery": "自然风光", "natural landscape": "自然风光", "cultural landscape": "人文景观", "cultural site": "人文景观",
    "garden": "园林", "classical garden": "园林", "chinese garden": "园林", "old town": "古镇", "ancient town": "古镇", "water town": "古镇", "old street": "特色街区", "historic street": "特色街区", "historic district": "特色街区", "old quarter": "特色街区", "theme park": "主题公园", "amusement park": "游乐园",
    "zoo": "动物园", "botanical garden": "植物园", "botanic garden": "植物园", "aquarium": "水族馆", "revolutionary site": "红色景点", "red tourism": "红色景点", "red tourism site": "红色景点", "historic site": "历史古迹", "historical site": "历史古迹", "historic monument": "文物古迹", "ancient monument": "文物古迹", "heritage site": "文物古迹", "monument": "文物古迹",
    "lake": "湖泊河流", "river": "湖泊河流", "mountain": "名山丘陵", "square": "广场", "plaza": "广场", "forest park": "森林公园", "memorial hall": "纪念馆", "memorial": "纪念馆", "beach": "海滨沙滩", "seaside": "海滨沙滩", "wetland park": "湿地公园", "wetland": "湿地公园", "former residence": "名人故居",
    "waterfall": "冰川瀑布", "ancient village": "古村落", "old village": "古村落", "ancient building": "古建筑", "ancient architecture": "古建筑", "viewpoint": "观景点", "hot spring": "温泉", "landmark": "城市地标", "city landmark": "城市地标", "art museum": "美术馆", "art gallery": "美术馆", "gallery": "美术馆",
    "science museum": "科技馆", "church": "教堂", "mosque": "清真寺", "night view": "夜景", "night market": "夜市", "shopping": "购物", "shopping mall": "购物中心", "mall": "商场", "bookshop": "书店", "bookstore": "书店", "campus": "校园", "university": "大学", "ski resort": "滑雪场", "skiing": "滑雪", "theatre": "剧院", "water park": "水上乐园",
}  # fmt: skip

CUISINES: Mapping[str, str] = {
    "hotpot": "火锅", "hot pot": "火锅", "seafood": "海鲜", "barbecue": "烧烤", "bbq": "烧烤", "grilled meat": "烤肉", "grilled fish": "烤鱼", "roast duck": "烤鸭", "sichuan food": "川菜", "sichuan cuisine": "川菜", "sichuan": "川菜", "hunan food": "湘菜", "hunan cuisine": "湘菜", "hunan": "湘菜", "cantonese food": "粤菜", "cantonese cuisine": "粤菜", "cantonese": "粤菜",
    "shandong cuisine": "鲁菜", "northeastern food": "东北菜", "dongbei food": "东北菜", "yunnan food": "云南菜", "xinjiang food": "新疆菜", "hangzhou cuisine": "杭帮菜", "hangzhou food": "杭帮菜", "huaiyang cuisine": "淮扬菜", "huaiyang food": "淮扬菜", "shanghainese food": "本帮菜", "shanghai cuisine": "本帮菜", "teochew cuisine": "潮汕菜", "hakka food": "客家菜",
    "western food": "西餐", "western cuisine": "西餐", "western fast food": "西式快餐", "fast food": "快餐", "chinese fast food": "中式快餐", "chinese food": "中餐", "japanese food": "日本料理", "japanese cuisine": "日本料理", "sushi": "寿司", "korean food": "韩国料理", "korean cuisine": "韩国料理", "thai food": "泰国菜", "southeast asian food": "东南亚菜",
    "snack": "小吃", "street food": "小吃", "street snack": "小吃", "snack food": "小吃快餐", "noodle": "面馆", "rice noodle": "米粉", "dim sum": "早茶", "morning tea": "早茶", "dumpling": "饺子", "congee": "粥", "porridge": "粥", "buffet": "自助餐", "vegetarian food": "素食", "vegetarian": "素食", "halal food": "清真菜", "dessert": "甜品",
    "pastry": "面包甜点", "pastries": "面包甜点", "bakery": "面包甜点", "bakeries": "面包甜点", "bread": "面包", "cake": "蛋糕", "coffee": "咖啡", "coffee shop": "咖啡厅", "cafe": "咖啡厅", "café": "咖啡厅", "tea house": "茶馆", "teahouse": "茶馆", "bar": "酒吧", "pub": "酒馆", "steak": "牛排", "pizza": "披萨", "burger": "汉堡", "bubble tea": "奶茶", "milk tea": "奶茶",
    "spicy food": "辣的", "raw food": "生冷", "coriander": "香菜", "cilantro": "香菜", "lamb": "羊肉", "mutton": "羊肉", "beef": "牛肉", "crayfish": "小龙虾", "crab": "螃蟹", "oyster": "生蚝", "tofu pudding": "豆腐脑", "home cooking": "家常菜", "home-style cooking": "家常菜", "farmhouse food": "农家菜", "skewers": "串串", "malatang": "麻辣烫",
}  # fmt: skip

SUBJECTS: Mapping[Subject, str] = {
    "budget": r"\b(?:budget|spend(?:ing)?|costs?|money|yuan|cny|rmb|afford|expens\w+|price)\b",
    "transport": r"\b(?:transport(?:ation)?|travel(?:l?ing)?|get(?:ting)? there|there and back|both ways|means of travel|journey|flights?|trains?|rail|fly|flying|driv(?:e|ing))\b",
    "intensity": r"\b(?:pace|intensity|tiring|(?:sights|places|attractions|spots|hours) (?:\w+ )?(?:a|per|each|every|in one) day|a day|per day|each day|every day|long days?|hours|length of day)\b",
    "hotels": r"\b(?:hotels?|accommodations?|lodgings?|stay(?:ing)?|sleep(?:ing)?|nights?|rooms?)\b",
    "categories": r"\b(?:kinds?|types?|sorts?|categor(?:y|ies)|styles?)(?: of (?:\w+ )?(?:sight|place|attraction|thing|spot|site)s?)?\b",
    "sights": r"\b(?:sights?|sightseeing|attractions?|places?|visit(?:ing)?|landmarks?|spots?)\b",
    "food": r"\b(?:foods?|eat(?:ing)?|meals?|dish(?:es)?|cuisines?|restaurants?|dining|menu|taste|diet\w*|hungry)\b",
}  # fmt: skip
"""What a clause says it is about. A narrower subject takes its words away from the wider one after it."""
NARROWER: Mapping[Subject, Subject] = {"sights": "categories"}

VERBS: Mapping[str, str] = {
    "food": r"\b(?:eat(?:s|ing|en)?|ate|tast(?:e|es|ing)|food|dish(?:es)?|meals?|lunch|dinner|breakfast|supper|restaurants?|snacks?|bowl|cuisine|cooking|spicy|flavou?rs?|hungry|drink(?:ing)?|menu|order(?:ing)?|must-(?:eat|try|taste)s?)\b",
    "sights": r"\b(?:visit(?:s|ing|ed)?|see(?:s|ing)?|sights?|attractions?|walk(?:ing)?|explor(?:e|ing)|tour(?:ing)?|climb(?:ing)?|photos?|places?|going|go to|get to|sightseeing|must-(?:see|visit|go)s?|wander(?:ing)?)\b",
}

NEUTRAL: tuple[str, ...] = (
    r"\b(?:any|every)(?:thing|where|\s+(?:\w+\s+){1,5}?)\s*(?:is|are|will be|would be|goes|works|will do|suits)\b(?: (?:just )?(?:fine|ok|okay|good|great|alright|all right))?",
    r"\bi['’]?(?:ll| will| can) (?:\w+ )?(?:eat|take|do|go|stay|accept|sleep)(?: in| with| to)? (?:any(?:thing|where)|whatever)\b",
    r"\b(?:no|without|have\s?n['’]?t (?:got )?any|do\s?n['’]?t (?:really )?have (?:any|a)|not any) (?:\w+ ){0,3}(?:preferences?|requirements?|wish(?:es)?|restrictions?|limits?|opinions?|requests?|demands?|objections?|dislikes?|likes?|allergies|ideas?|constraints?|favou?rites?|musts?|must-\w+|no-?gos?)\b",
    r"\bno (?:\w+ ){0,3}(?:sights?|places?|food|dish(?:es)?|hotels?|attractions?|kinds?|restaurants?)(?: \w+)? (?:i['’]?d|i would|i|that i)\b",
    r"\bnothing (?:\w+ )?(?:special|particular|in particular|specific|to add|comes to mind|i(?:['’]?d| would)? (?:really )?(?:insist|refuse|avoid|need|object))\b",
    r"\b(?:do|does|did|would)\s?(?:n['’]?t|not) (?:really )?(?:mind|matter|care)(?= (?:what|how|where|which|either|if|whether|about|at all|one way|much)|\s*$|\s*[.!])",
    r"\b(?:i['’]?m|i am|we are|we['’]?re) (?:pretty |quite |totally |completely |very )?(?:easy|flexible|open to (?:anything|whatever)|not (?:\w+ )?(?:picky|fussy|particular|bothered|worried|choosy))\b",
    r"\bnot (?:\w+ )?(?:picky|fussy|particular|bothered|choosy)\b",
    r"\b(?:it['’]?s )?up to (?:you|the group|everyone|the others)\b",
    r"\b(?:you|the group|the others|everyone)(?: can| may| should)? (?:decide|choose|pick|plan)\b",
    r"\bwhatever (?:you|the (?:group|others|rest)|everyone|works|is (?:easiest|best|convenient)|suits)\b",
    r"\b(?:happy|fine|ok|okay) with (?:whatever|anything|all|any)\b",
    r"\beither (?:way|one)? ?(?:is|works)\b",
    r"\bdoes\s?n['’]?t matter\b",
    r"\bnone (?:really|in particular|at all)?\s*(?:$|[.!])",
    r"\bgo with the (?:flow|group|majority)\b",
    r"\bno idea\b",
    r"\bunlimited\b",
)
"""What leaves a topic open on purpose."""
DENIAL = r"^(?:no|none|nothing|without|not|have|do|does|did|would)\b"
"""How those of them begin that deny having a wish: with a name beside them they still leave the topic open."""
EXCEPT = r"\b(?:any(?:thing|where|one| \w+)?|everything|everywhere|all)\b[^.;]{0,40}?\b(?:except(?: for)?|apart from|other than|aside from|but not|as long as it (?:is\s?n['’]?t|is not|isn['’]?t)|but(?! i\b))\s+(?P<item>[^.;]{2,80})"
"""Anything but (group `item`)."""

BOUNDARY = r"[;\n—–]|\s-\s|\s*,?\s*\b(?:but(?! for\b)|however|whereas|while|though|although|otherwise|on the other hand|then again|because|since|in addition|additionally|besides)\b,?"
"""Where a statement ends within a sentence; what follows has a tone of its own."""
REASON = r"^\W*(?:because|since|otherwise|so that|as (?:it|they|we|the|i)\b|due to|that['’]?s why)\b"
SOFT_CUT = r"(?<!\d),(?!\d{3})|,(?=\s)|:(?=\s)|\s+(?=and (?:i|we|please|preferably|ideally|definitely|absolutely|never|no|not|if|for|as for|in)\b)"
"""Where a list may go on or another wish may begin."""
ASKING = r"\?\s*[\"”')]*\s*$|^\W*(?:what|which|where|when|how|who|is there|are there|do you|could you|can you|would you|can i|could i)\b(?!ever)(?=[^.!]*$)"

BUDGET_WORDS = r"\b(?:budget|spend(?:ing)?|afford|ceiling|cap|limit|max(?:imum)?|at most|no more than|not more than|up to|under|below|within|exceed|go (?:over|above|beyond|up)|per (?:person|head)|a head|each|my share|cost|pay|keep it|tops|stretch|raise)\b"
NOT_BUDGET = r"\b(?:(?:per|a|each|every|one) (?:night|day|meal)|nightly|tickets?|fare|taxi|km|kilomet\w+|minutes?|hours?|deposit|room)\b"
CURRENCY = r"(?:yuan|cny|rmb|kuai|bucks|元|块)"
TOTAL = r"\b(?:in total|altogether|all together|combined|total budget|for (?:the )?(?:both|all|two|three|four|five|six) of us|between (?:us|the (?:two|three|four) of us))\b"
EACH = r"\b(?:per (?:person|head)|each|a head|apiece|for my share|personally|myself)\b"
SIGHTS_A_DAY = r"(?:sights?|places?|attractions?|spots?|stops?|sites?|things|points of interest|venues)\b"
A_DAY = r"\b(?:a|per|each|every|one|the|in (?:one|a)) day\b|\bdaily\b"
JOURNEY_HOURS = r"\b(?:by (?:train|car|plane|bus)|drive|driving|flight|fly|ride|from|away|queue|queu\w+|wait(?:ing)?|takes?|sleep)\b"

AGREE = r"\b(?:yes|yeah|yep|sure|ok|okay|fine|alright|all right|agreed?|deal|of course|no problem|certainly|gladly|happy to|works for me|i(?:['’]?ll| will| can) (?:\w+ )?(?:accept|live with|give way|give in|go (?:along|with|up)|stretch|raise|manage|compromise|yield|skip|join|try|put up with|make do)|(?:can|could) accept|won['’]?t object|no objections?|i don['’]?t mind|no longer insist|do(?:n['’]?t| not) insist|let['’]?s (?:skip|drop|leave)|for (?:the group|everyone|your sake)|if everyone|give way|then so be it|as you (?:like|wish))\b"
REFUSE = r"\b(?:no(?! (?:problem|objection|longer|worries|need))|not (?:possible|really|negotiable|going to|acceptable|for me|willing|happy|prepared)|sorry|afraid|can['’]?t (?:accept|do|give|go|agree|change|add|raise)|cannot (?:accept|do|give|go|agree|change|add|raise)|won['’]?t(?! object)|will not|refus\w+|bottom line|insist(?!\w* (?:any ?more|any longer))|must(?:n['’]?t)?|have to|rather not|still (?:like|want|prefer|go)|never|impossible|out of the question|no way|leave (?:it|that) as it is|wouldn['’]?t|non-?negotiable)\b"
TURN = r"\b(?:but|however|though|sorry|afraid|only|unfortunately|still)\b"
YIELDING = (
    r"\b(?:no longer insist|do(?:n['’]?t| not) insist|won['’]?t object|not insist|no objections?)\b[^.!]*"
)
"""A no that yields: the negation speaks of what is given up."""

STOP: frozenset[str] = frozenset(
    "i i'd i'll i'm i've me my mine we we're we'd we'll we've our us you your he she they them his her their it its this that these those there here the a an and or nor but if so as at by for from in into of off on onto out over to up with "
    "about after again all also although always am any anyone anything anywhere are around be because been before being best both can cannot could day days did do does doing don't down each either else enough even ever every everyone "
    "everything few first get getting go going gone good got great had has have having hello hi hey how however just kind last least less let let's like little long look lot made make many may maybe might mine more most much must "
    "my need never next nice no none not nothing now ok okay once one only other others otherwise out own part perhaps place places please plenty prefer preferably quite rather really right same say see seem should since some someone "
    "something sometimes somewhere soon still such sure take than thank thanks that's the then there's they they're thing things think though through time times today together tomorrow too top trip try trying two until use very visit want was way "
    "we well were what whatever when where which while who whole why will wish with without won't would year yes yet personally absolutely definitely ideally honestly frankly basically actually especially also besides finally meanwhile monday "
    "tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december spring summer autumn winter morning afternoon evening night budget food hotel hotels transport "
    "sights attractions agent wait hold sorry understood noted alright got hmm oh well yuan cny rmb english chinese everybody three four five six seven eight nine ten hours hour moneywise foodwise under nowhere avoid skip keep "
    "leave stay eat drink ride wander hate love enjoy refuse correct exactly true agreed fine alone people group friends family kids children parents mum dad wife husband girlfriend boyfriend anybody nobody per person matter doubt compromise compromises ifs buts excuse excuses exception "
    "exceptions question questions fail discussion argument idea problem worries chance".split()
)
"""Words that never stand in a name by themselves, however they are written."""

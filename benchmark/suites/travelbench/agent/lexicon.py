"""Words by which requests are understood, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping

CAN_NOT = (
    r"提醒|通知我|喊我|叫我一?声|打个?电话|帮我订|订个|预订|预定|下单|抢票|抢了|买票|购票|付款|退出导航|结束导航|关闭|打开"
    r"|播放|音量|收藏|标记|违章|走到哪了|在哪儿了|实时位置|定位一下他"
    r"|\bremind\b|\bbook (?:me|us|a|the)\b|\breserve\b|\bcall (?:the|them|a)\b|\bbuy\b|\bpay\b|\bplay\b"
    r"|turn (?:on|off|up|down)"
)
"""What no tool does: to act for somebody, to watch something, to know where somebody else is."""
UNNAMED_PLACE = (
    r"刚才|刚刚|上次|之前说|那个地方|那家|那趟|那边集合|到那边|我妈家|我家|回家|他说的|她说的"
    r"|\blast time\b|\bthat place\b|\bback to the\b|\bthe one (?:he|she|they|I)\b"
)
"""What only somebody who was there before can know."""

TRAINS = r"火车|高铁|动车|车次|列车|\btrains?\b|\brailway ticket"
FLIGHTS = r"飞机|航班|机票|\b飞\b|飞(?=[\u4e00-\u9fff]{2})|\bflights?\b|\bfly\b|\bplanes?\b"
TICKETS = r"车票|的票|\boptions\b|怎么去合适"
WEATHER = (
    r"天气|气温|下雨|[冷热]不[冷热]|[冷热][吗么]|[很太会多][冷热]|多少度|什么天|风大|羽绒服|带伞|下雪"
    r"|\bweather\b|\bwill it rain\b|\bcold\b|\btemperature\b"
)
COLD = r"冷|凉不凉|羽绒|外套|穿什么|穿多少|怎么穿|\bcold\b|chilly|\bcoats?\b|\bjackets?\b|\bwear\b"
HOT = r"热不热|热吗|很热|多热|防晒|\bhot\b|\bheat\b"
WINDY = r"风[力大]|刮风|\bwind"
RAINY = r"雨|伞|\brain|\bumbrella"
SNOWY = r"下雪|雪大|\bsnow"
WHICH_DAY = r"哪一?天|什么时候|何时|挑.{0,6}天|\bwhich day\b|\bwhen\b|\bbetter day\b"
WET_SKY, WHITE_SKY = r"雨|雷|rain|shower|thunder|drizzle", r"雪|snow"
SEASON = r"天气|季节|气候|冬|夏|weather|season|climate|winter|summer"
"""Of the weather: what is asked in a word, what skies say, and a sentence about the season."""
CLOSING, OPENING = r"关门|闭馆|打烊|下班|几点关|\bclos", r"开门|开馆|几点开|\bopens?\b"
FASTER = r"快|哪个|哪种|还是|省时间|\bfaster\b|\bquicker\b|\bfastest\b|\bor\b"
DIRECT = r"直达|直飞|不换乘|\bdirect\b|\bnon-?stop\b"
HOW_LONG = r"几个?小时|多久|多长时间|多少时间|\bhow long\b|\bhow many hours\b"
FAST_TRAINS = r"高铁|动车|\bhigh-?speed\b|\bfast train|\bbullet"
TO_ORDER = (
    r"顺序|排一?[下排个]|安排|行程|规划|计划|一[天日]|全天|怎么[玩逛]|[天日]游|攻略"
    r"|\bitinerary\b|\bplan\b|\border\b|\bone(?: \w+)? day\b|\bday trip\b|\bfree day\b"
    r"|\bwhat (?:should|can|could|do|to)\b.{0,12}\b(?:do|see)\b"
    r"|\bhow (?:should|can|could|do|to|best to)\b.{0,12}\bspend\b"
)
"""That somebody wants an order for the day."""
DAYS = (
    r"(?<![第前后过每这那近])(?P<zh>[一二两三四五六七]|(?<!\d)[1-7])(?:天|日游|日(?=的?(?:行程|安排|计划)))(?!后|前|内|以[后内])"
    r"|(?<!in )\b(?P<en>one|two|three|four|five|six|seven|[1-7])[ -](?:full |whole )?days?\b"
)
"""For how many days an order is wanted."""
ONE_AFTER = r"之后|然后|接着|随后|\bthen\b|\bafter that\b|\bafterwards\b"
"""That one thing is to come after another."""
AVERSION = (
    r"(?:不(?:想|要|去|吃|喝|爱|喜欢|能吃)|别(?:去|选|找)|除了|忌|讨厌)[^，,。；;\s]{1,10}"
    r"|\b(?:no|not|never|without|except|avoid(?:ing)?|dislikes?|hates?|do(?:es)?n't (?:like|want|eat)) [^,.;]{1,24}"
)
"""What is not looked for."""
PARTS: Mapping[str, str] = {
    "morning": r"上午|早上|早晨|一早|\bmorning\b",
    "noon": r"中午|午间|\bnoon\b|\blunch",
    "afternoon": r"下午|午后|\bafternoon\b",
    "evening": r"傍晚|晚上|夜里|晚间|今晚|\bevening\b|\bnight\b|\btonight\b",
}
NEXT_STEP = (
    r"(?=上午|早上|早晨|一早|中午|午间|下午|午后|傍晚|晚上|夜里|晚间)|先(?!生)|然后|再(?![说见])|接着|之后|随后|最后"
    r"|[,;，；。]|\bthen\b|\bafter that\b|\bfinally\b|\band\b"
)
"""Where the next part of a day begins."""
ROUTE = (
    r"怎么走|怎么去|怎么坐|怎么到|多远|多久|多长时间|几分钟|路线|导航|坐几路|哪路车|坐.{0,4}快|打车"
    r"|\bhow (?:do|can|should) (?:I|we) get\b|\bhow far\b|\bhow long\b|\broute\b|\bdirections?\b|\bget (?:from|to)\b"
)
RANKING = r"榜|排行|必吃|必去|排一排|\branking\b|\btop \d*|\bbest\b.*\blist\b"
ON_THE_WAY = r"顺路|沿途|沿路|路上|途中|\balong the way\b|\bon the way\b"
CENTRAL = r"居中|中间|碰头|会合|汇合|折中|\bhalfway\b|\bmeet in the middle\b|\bin between\b"
HOURS = (
    r"几点(?:关门|开门|营业|下班)|开不开|营业时间|开放时间|关门"
    r"|\bopening hours\b|\bwhen (?:does|is)\b.+\b(?:open|close)"
)
SEEK = (
    r"找|搜|推荐|有没有|有什么|哪里有|哪儿有|哪里|哪儿|附近|周边|去哪|玩|逛|吃|住|看"
    r"|\bfind\b|\blooking for\b|\bnear\b|\bwhich\b|\bwhere\b|\brecommend|\bplace\b|\bgo\b"
)

NEXT_TO = r"附近|周边|旁边|一带|那边"
NEAREST = r"最近|近一点|近点|\bnearest\b|\bclosest\b"
WELL_RATED = r"评分高|口碑|好评|高分|\bwell[- ]rated\b|\bhighly rated\b"
CHEAP = r"便宜|实惠|\bcheap|\binexpensive\b|nothing fancy"

MODES: Mapping[str, str] = {
    "transit": r"地铁|公交|公共交通|公共汽车|\bmetro\b|\bbus\b|\bpublic transport|\bsubway\b",
    "bicycling": r"骑车|骑行|自行车|\bcycl|\bbike\b|\bbicycle\b",
    "walking": r"步行|走路|走到|走过去|\bwalk",
    "driving": r"开车|驾车|自驾|打车|\bdriv|\btaxi\b|\bby car\b",
}

KINDS: tuple[tuple[str, str], ...] = (
    (r"鸭血粉丝汤?", "鸭血粉丝"),
    (r"火锅|hot ?pot", "火锅"),
    (r"烧烤|barbecue", "烧烤"),
    (r"素食|素菜|vegetarian|vegan", "素食"),
    (r"早茶|dim sum", "早茶"),
    (r"杭帮菜", "杭帮菜"),
    (r"本帮菜", "本帮菜"),
    (r"苏帮菜", "苏帮菜"),
    (r"淮扬菜", "淮扬菜"),
    (r"金陵菜", "金陵菜"),
    (r"顺德菜", "顺德菜"),
    (r"粤菜|cantonese", "粤菜"),
    (r"川菜|sichuan food", "川菜"),
    (r"湘菜", "湘菜"),
    (r"烤鸭|roast duck", "烤鸭"),
    (r"面馆|noodles?\b", "面馆"),
    (r"小吃|snacks?\b", "小吃"),
    (r"咖啡|coffee|café|\bcafe\b", "咖啡"),
    (r"喝茶|茶馆|tea ?house", "茶馆"),
    (r"加油|gas station|petrol", "加油站"),
    (r"充电|charging", "充电站"),
    (r"停车场|parking", "停车场"),
    (r"厕所|洗手间|卫生间|\btoilets?\b|restroom", "厕所"),
    (r"服务区|service area", "服务区"),
    (r"医院|hospital", "医院"),
    (r"药店|pharmacy", "药店"),
    (r"银行|\bbank\b", "银行"),
    (r"超市|supermarket", "超市"),
    (r"逛街|步行街|商业街|夜市|shopping street|\bshopping\b(?! mall)|pedestrian street", "步行街"),
    (r"商场|购物(?!公园)|shopping mall|\bmall\b", "商场"),
    (r"修车|维修", "汽车维修"),
    (r"青年旅舍|青旅|hostel", "青年旅舍"),
    (r"民宿", "民宿"),
    (r"酒店|宾馆|住一晚|住宿|hotel|\bstay\b", "酒店"),
    (r"博物馆|museums?\b", "博物馆"),
    (r"园林|园子|gardens?\b", "园林"),
    (r"寺庙|\btemples?\b", "寺"),
    (r"古镇|古街|老街", "老街"),
    (r"动物园|\bzoo\b", "动物园"),
    (r"游乐园|主题公园|theme park", "主题公园"),
    (r"公园|\bparks?\b", "公园"),
    (r"吃饭|吃的|好吃|吃午饭|吃晚饭|餐厅|饭店|饭馆|必吃|restaurants?\b|\bdinner\b|\blunch\b|\beat\b", "餐厅"),
    (
        r"玩|逛|景点|景区|好去处|去哪儿?好|旅游|sights?\b|attractions?\b|\bwhere should we go\b|free day",
        "景点",
    ),
)
"""What somebody looks for, and the word that finds it; the narrower goes first."""
FOODS = frozenset(
    {"鸭血粉丝", "火锅", "烧烤", "素食", "杭帮菜", "本帮菜", "苏帮菜", "淮扬菜", "金陵菜", "顺德菜"}
    | {"粤菜", "川菜", "湘菜", "烤鸭", "面馆", "小吃", "餐厅"}
)
"""What an evening's meal can be."""
LIGHT_FOOD = r"面包|甜[点品]|咖啡|茶馆|茶室|酒吧|奶茶|饮品|冰淇淋"
"""Kinds of place where nobody has lunch or dinner."""

PLACES_EN: Mapping[str, str] = {
    "sun yat-sen mausoleum": "中山陵",
    "confucius temple": "夫子庙",
    "west lake": "西湖",
    "lingyin temple": "灵隐寺",
    "forbidden city": "故宫",
    "palace museum": "故宫",
    "summer palace": "颐和园",
    "temple of heaven": "天坛",
    "the bund": "外滩",
    "yu garden": "豫园",
    "oriental pearl tower": "东方明珠",
    "canton tower": "广州塔",
    "beijing road": "北京路",
    "humble administrator's garden": "拙政园",
    "lion grove garden": "狮子林",
    "tiger hill": "虎丘",
    "pingjiang road": "平江路",
    "window of the world": "世界之窗",
    "yellow crane tower": "黄鹤楼",
    "east lake": "东湖",
}
CITIES_EN: Mapping[str, str] = {
    "beijing": "北京",
    "shanghai": "上海",
    "tianjin": "天津",
    "chongqing": "重庆",
    "hangzhou": "杭州",
    "suzhou": "苏州",
    "nanjing": "南京",
    "wuxi": "无锡",
    "ningbo": "宁波",
    "wenzhou": "温州",
    "hefei": "合肥",
    "guangzhou": "广州",
    "shenzhen": "深圳",
    "foshan": "佛山",
    "zhuhai": "珠海",
    "dongguan": "东莞",
    "wuhan": "武汉",
    "changsha": "长沙",
    "nanchang": "南昌",
    "zhengzhou": "郑州",
    "luoyang": "洛阳",
    "xi'an": "西安",
    "xian": "西安",
    "chengdu": "成都",
    "guiyang": "贵阳",
    "kunming": "昆明",
    "lijiang": "丽江",
    "guilin": "桂林",
    "xiamen": "厦门",
    "fuzhou": "福州",
    "quanzhou": "泉州",
    "sanya": "三亚",
    "haikou": "海口",
    "jinan": "济南",
    "qingdao": "青岛",
    "dalian": "大连",
    "shenyang": "沈阳",
    "changchun": "长春",
    "harbin": "哈尔滨",
    "lanzhou": "兰州",
    "urumqi": "乌鲁木齐",
}
